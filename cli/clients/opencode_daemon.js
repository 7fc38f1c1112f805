// How the plugin reaches its store: the daemon's socket, and the spool where nobody answers, as `doors/hook.py` does it.
//
// What nobody takes in time waits in the spool. A daemon that did not answer once is not waited for again before it was
// seen, so that a turn is delayed once.
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import fs from "node:fs"
import net from "node:net"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const PYTHON = "" // the interpreter that starts a daemon, written here where the copy is made
const STORE = dirname(dirname(fileURLToPath(import.meta.url)))
const WIRE = 1 // the form of what is said here, as `wire.py` counts them
const MARGIN = 50 // by which an answer has to be there earlier, so that what is told of as shown is shown
const TOLD = 1000 // for what no turn waits for; then it is spooled
const TOLD_AWAY = 300 // the same, while nobody answers
const QUIET = 1000 // milliseconds for which a daemon that did not answer is left alone first
const QUIETEST = 60_000 // between two looks for a daemon that is away
const STARTED = 10_000 // between two attempts to start one
const TICK = 50 // milliseconds after which it is looked how long somebody waited
const LARGEST = 64 * 1024 * 1024 // bytes of a reply
const LONGEST_PATH = 100 // bytes of a socket's path, as in `wire.py`
const REFUSALS = ["Unusable", "NotUnderstood", "ExchangeDiffers"] // as in hook.py: it can never be done

// --- the store ------------------------------------------------------------------------------------------------

/** Whether the store is there and nobody else's; one that was removed is not made again. Where the interpreter is gone,
 * as when its environment was moved away, nothing is done, as in `bin/hook`: nobody might ever drain the spool. */
function isOurs() {
  if (PYTHON && !fs.existsSync(PYTHON)) return false
  const facts = fs.statSync(STORE)
  if (process.getuid && facts.uid !== process.getuid()) return false
  return ["lock", "log.db", "spool", "bin/hook.py"].some((name) => fs.existsSync(join(STORE, name)))
}

let lastTime = 0

/** A request under a key of its own: the same key again is the same request. It begins with its time, and those of one
 * process are in their order. */
function call(event, directory, said) {
  lastTime = Math.max(Date.now(), lastTime + 1)
  const key = lastTime.toString(16).padStart(12, "0") + randomBytes(10).toString("hex")
  const payload = Buffer.from(JSON.stringify(said)).toString("base64")
  return { key, wire: WIRE, seconds: 0, request: { ask: "deliver", client: "opencode", event, directory, payload } }
}

/** A folder in the store, never the store. */
function made(folder) {
  if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 0o700 })
}

/** Kept durably until somebody drains it; a file as `hook.py` leaves them. */
function spooled(call) {
  const folder = join(STORE, "spool")
  const half = join(folder, `${call.key}.part`)
  const named = () => fs.renameSync(half, join(folder, `${call.key}.json`))
  made(folder)
  written(half, call)
  try {
    named()
  } catch (error) {
    if (error.code !== "ENOENT") throw error
    written(half, call) // who forgets something took it for one that was left; what waits is not touched
    named()
  }
  if (process.platform === "win32") return // there a folder cannot be synced
  for (const name of [folder, STORE]) {
    const opened = fs.openSync(name, "r")
    try {
      fs.fsyncSync(opened)
    } finally {
      fs.closeSync(opened)
    }
  }
}

function written(half, call) {
  const file = fs.openSync(half, "w", 0o600)
  try {
    try {
      fs.writeFileSync(file, JSON.stringify(call))
      fs.fsyncSync(file)
    } finally {
      fs.closeSync(file)
    }
  } catch (error) {
    fs.unlinkSync(half)
    throw error
  }
}

let lastStart = -Infinity

/** A daemon, detached. That there will be only one is its own concern. */
function start() {
  const now = performance.now()
  if (!PYTHON || now - lastStart < STARTED || !fs.existsSync(PYTHON)) return
  lastStart = now
  made(join(STORE, "logs"))
  const out = fs.openSync(join(STORE, "logs", "daemon.out"), "w", 0o600)
  try {
    const words = ["-I", "-m", "aftermind.cli.daemon", STORE]
    const child = spawn(PYTHON, words, { cwd: STORE, detached: true, stdio: ["ignore", out, out], windowsHide: true })
    child.on("error", () => {}) // the package may be gone
    child.unref()
  } finally {
    fs.closeSync(out)
  }
}

// --- the daemon -----------------------------------------------------------------------------------------------

/** Where it listens, and the word that opens the door. Where there is a socket, no port is tried. */
function address() {
  const run = join(STORE, "run")
  const socket = join(run, "socket")
  if (process.platform !== "win32" && fs.existsSync(socket)) {
    if (process.getuid && fs.statSync(socket).uid !== process.getuid()) throw new Error("another's")
    if (Buffer.byteLength(socket) <= LONGEST_PATH) return { where: { path: socket }, token: "", close() {} }
    const folder = fs.openSync(run, "r")
    let isOpen = true
    const close = () => isOpen && (isOpen = fs.closeSync(folder))
    return { where: { path: `/proc/self/fd/${folder}/socket` }, token: "", close }
  }
  const file = fs.openSync(join(run, "address"), fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0))
  try {
    const facts = fs.fstatSync(file)
    if (process.getuid && (facts.uid !== process.getuid() || facts.mode & 0o077)) throw new Error("another's")
    const [port, token] = fs.readFileSync(file, "utf8").split(" ")
    return { where: { host: "127.0.0.1", port: Number(port) }, token, close() {} }
  } finally {
    fs.closeSync(file)
  }
}

/** So many milliseconds of waiting. There is one thread, and OpenCode's own work in it is not waited for here: as it
 * starts, it computes for a second after the first prompt, and an answer that came meanwhile is in time. */
export function patience(milliseconds) {
  let left = milliseconds
  let since = performance.now()
  const waited = () => Math.min(performance.now() - since, 2 * TICK)
  let ended
  const over = new Promise((resolve) => (ended = resolve))
  const ticking = setInterval(() => {
    left -= waited()
    since = performance.now()
    if (left > 0) return
    clearInterval(ticking)
    ended()
  }, Math.min(TICK, milliseconds))
  return { over, left: () => left - waited(), close: () => clearInterval(ticking) }
}

/** The daemon's reply, or without a call its welcome, which alone proves that somebody is there. Rejects when it is not
 * there before the patience is over. */
function answered(call, wait) {
  return new Promise((resolve, reject) => {
    const { where, token, close } = address()
    const connection = net.connect(where)
    const parts = []
    let had = 0
    let isWelcomed = false
    const over = (how, value) => {
      close()
      connection.destroy()
      how(value)
    }
    wait.over.then(() => over(reject, new Error("late")))
    connection.on("error", (error) => over(reject, error))
    connection.on("close", () => over(reject, new Error("hung up")))
    connection.on("connect", () => token && connection.write(token))
    connection.on("data", (part) => {
      try {
        heard(part)
      } catch (error) {
        over(reject, error)
      }
    })
    const heard = (part) => {
      parts.push(part)
      had += part.length
      if (had < 4) return
      const whole = parts.length === 1 ? part : Buffer.concat(parts)
      parts.splice(0, parts.length, whole)
      const size = whole.readUInt32BE(0)
      if (size > LARGEST) return over(reject, new Error("too large"))
      if (had < 4 + size) return
      const said = JSON.parse(whole.toString("utf8", 4, 4 + size))
      if (isWelcomed || !call) return over(resolve, said)
      isWelcomed = true
      parts.length = had = 0
      const seconds = Math.max(wait.left() - MARGIN, 0) / 1000
      const frame = Buffer.from(JSON.stringify({ ...call, seconds }))
      const length = Buffer.alloc(4)
      length.writeUInt32BE(frame.length)
      connection.write(Buffer.concat([length, frame]))
    }
  })
}

/** Rejects where nobody is there. */
async function welcomed() {
  const wait = patience(TOLD)
  try {
    await answered(undefined, wait)
  } finally {
    wait.close()
  }
}

let isAway = false
let heldUntil = 0
let quiet = QUIET
let looking

/** Nobody answered in time: no turn waits for the daemon again before it was seen. The longer it is of no use, the
 * longer it is left alone, also where it is there and slow. */
function lost() {
  isAway = true
  heldUntil = performance.now() + quiet
  look(quiet)
  quiet = Math.min(quiet * 4, QUIETEST)
}

function look(pause) {
  if (looking) return
  looking = setTimeout(async () => {
    looking = undefined
    try {
      await welcomed()
      isAway = false
    } catch {
      look(Math.min(pause * 2, QUIETEST))
    }
  }, pause)
  looking.unref()
}

/** The text a moment is answered with, "" for none. A prompt that nobody answered is told of later: the turn it begins
 * may never end. */
export async function asked(event, directory, said, wait) {
  if (!isOurs()) return ""
  const question = call(event, directory, said)
  if (!isAway && performance.now() >= heldUntil) {
    try {
      const reply = await inTurn(question, wait)
      if (reply.reply === "answered" || REFUSALS.includes(reply.error)) return reply.answer?.text ?? ""
    } catch {}
    lost()
  }
  if (event === "prompt") {
    untold.set(question.key, question)
    setImmediate(() => kept(question))
  }
  return ""
}

/** The reply; where no daemon is, one is started and waited for as long as there is time. */
async function inTurn(question, wait) {
  for (let pause = 5; ; pause *= 2) {
    try {
      const reply = await answered(question, wait)
      if (reply.reply === "answered") quiet = QUIET
      return reply
    } catch (error) {
      start()
      if (wait.left() <= pause) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

const untold = new Map()

/** Hands something over: to the daemon, or for whoever drains the spool. No turn waits for it, so it looks for the daemon
 * also while that is away. */
export async function told(event, directory, said, isLost = (call) => kept(call)) {
  if (!isOurs()) return
  const telling = call(event, directory, said)
  untold.set(telling.key, telling)
  const wait = patience(isAway ? TOLD_AWAY : TOLD)
  try {
    const reply = await answered(telling, wait)
    isAway = false
    if (reply.reply === "answered" || REFUSALS.includes(reply.error)) untold.delete(telling.key)
  } catch {
    if (!isAway) lost()
  } finally {
    wait.close()
  }
  if (untold.has(telling.key)) isLost(telling)
}

/** Tells of what is told of again: the tools of a turn, which its end lists. Nothing is written for it. */
export function mentioned(event, directory, said) {
  return told(event, directory, said, (call) => untold.delete(call.key))
}

/** In the spool, for the daemon that is started. */
function kept(call) {
  try {
    if (isOurs()) spooled(call)
    untold.delete(call.key)
    start()
  } catch {} // the disk is full; the end of the process is another try
}

/** Starts a daemon where none answers, so that it is there for the first prompt. */
export async function lookedFor() {
  if (isOurs()) await welcomed().catch(start)
}

// What is still under way when the process ends. Whoever has it already sees that it is the same.
process.once("exit", () => {
  for (const one of untold.values()) {
    try {
      if (isOurs()) spooled(one)
    } catch {}
  }
})
