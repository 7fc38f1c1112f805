// Aftermind in OpenCode: what is said goes to the store's daemon, and what it knows comes before the prompt.
//
// A copy of this file lies in a store's `bin/` and belongs to that store. Node's builtins only. It understands little of
// what it forwards, never throws, and never keeps a turn waiting for longer than `LATEST`.
//
// A briefing is asked for in `chat.message`, once a prompt, and shown in `experimental.chat.messages.transform`, which is
// called for the conversation alone (the title is made without it) and changes nothing that OpenCode keeps: what is
// forgotten is in no other program's database, and a shared session shows nobody's memory. It stays where it was shown
// first, so that the model's provider finds its cached beginning again; a system message would change with every prompt.
import { answered, asked, isOurs, spoolUntold, start, TOLD, told } from "./opencode_daemon.js"

const LATEST = 300 // milliseconds after which a turn goes on, unless the plugin's option `milliseconds` says otherwise
const DISPOSED = 3000 // for all that is pending, when OpenCode ends
const LONGEST_ERROR = 16_384 // characters of a tool's error that are handed over, from its end
const KEPT = 500 // briefings of one process that stay where they were shown
const PAGE = 50 // messages that are looked at first
const NAMING = ["filePath", "file_path", "notebook_path", "path"] // what of a tool's input says which file it is about

// --- the conversation -----------------------------------------------------------------------------------------

const isText = (part) => part.type === "text" && !part.synthetic && !part.ignored
const textOf = (parts) => parts.filter(isText).map((part) => part.text).join("\n")
/** Whether a user wrote it; OpenCode writes some of the messages of that role itself. */
const isWritten = ({ info, parts }) =>
  info.role === "user" && textOf(parts).trim() !== "" && !parts.some((part) => part.type === "compaction")

/** The turns among messages: each prompt with what answers it, also beyond a compaction. */
function turns(messages) {
  const found = []
  const of = new Map()
  for (const message of messages) {
    if (message.info.role === "user") {
      if (isWritten(message)) found.push({ prompt: message, answers: [] })
      if (found.length) of.set(message.info.id, found.at(-1))
    } else if (message.info.summary !== true) {
      of.get(message.info.parentID)?.answers.push(message)
    }
  }
  return found
}

/** Whether it was answered to the end; a turn that failed or was aborted never is. */
function isEnded({ answers }) {
  const last = answers.at(-1)?.info
  return Boolean(last?.time?.completed) && !last.error && last.finish !== "tool-calls"
}

/** As much of a message as its exchange is made of; tools may have read and written whatever there is. */
function essence({ info, parts }, outcomes) {
  const { id, role, parentID, summary, time } = info
  return {
    info: { id, role, parentID, summary, time, error: info.error ? true : undefined },
    parts: parts.filter((part) => isText(part) || part.type === "tool").map((part) => ({
      type: part.type,
      text: part.text,
      tool: part.tool,
      state: part.type === "tool" ? (outcomes.get(part.callID) ?? outcome(part.state)) : undefined,
    })),
  }
}

function outcome({ status, input, error, metadata }) {
  const exit = metadata?.exit
  const failed = typeof exit === "number" && exit !== 0
  return {
    status: failed ? "error" : status,
    input: naming(input),
    error: end(failed ? metadata.output : error),
  }
}

const end = (text) => (typeof text === "string" ? text.slice(-LONGEST_ERROR) : undefined)

function naming(input) {
  const named = Object.entries(input ?? {}).filter(([name]) => NAMING.includes(name))
  return Object.fromEntries(named)
}

/** How a tool's use went, from either shape: a builtin tool's, and that of one behind MCP. */
function used({ args }, output) {
  if (!Array.isArray(output?.content)) return outcome({ status: "completed", input: args, metadata: output?.metadata })
  const text = output.content.map((part) => part?.text ?? "").join("\n")
  const failed = output.isError === true
  return { status: failed ? "error" : "completed", input: naming(args), error: failed ? end(text) : undefined }
}

export const Aftermind = async ({ client, directory }, options) => {
  const latest = options?.milliseconds > 0 ? options.milliseconds : LATEST
  const sessions = new Map() // id → { isChild, directory } of those that are known
  const written = new Map() // session → ids of prompts that were not told of yet
  const outcomes = new Map() // session → callID → how it went
  const briefings = new Map() // id of a prompt → what was shown for it
  const compacting = new Set()
  const pending = new Set()

  const know = (info) => sessions.set(info.id, { isChild: Boolean(info.parentID), directory: info.directory })
  const known = async (id) => {
    if (!sessions.has(id)) know((await client.session.get({ path: { id } })).data)
    return sessions.get(id)
  }
  const later = (work) => {
    const done = work.catch(() => {}).finally(() => pending.delete(done))
    pending.add(done)
  }
  const inTime = (work, end) => {
    let timer
    const late = new Promise((resolve) => (timer = setTimeout(resolve, end - performance.now())))
    return Promise.race([work.catch(() => ""), late]).finally(() => clearTimeout(timer))
  }

  const written_ = (session) => written.get(session) ?? written.set(session, new Set()).get(session)

  /** All messages since the first of some; the newest come first. */
  const since = async (id, first) => {
    for (let limit = PAGE; ; limit *= 4) {
      const found = (await client.session.messages({ path: { id }, query: { limit } })).data
      if (found.length < limit || found[0].info.id <= first) return found.filter(({ info }) => info.id >= first)
    }
  }

  /** Tells of every prompt that was answered. */
  const ended = async (session) => {
    const prompts = written.get(session)
    written.delete(session) // OpenCode may say twice that it is idle
    if (!prompts?.size) return
    const { directory: folder } = await known(session)
    let messages
    try {
      messages = await since(session, [...prompts].sort()[0])
    } catch (error) {
      for (const prompt of prompts) written_(session).add(prompt)
      throw error
    }
    const how = outcomes.get(session) ?? new Map()
    outcomes.delete(session)
    for (const turn of turns(messages).filter(isEnded)) {
      const parts = [turn.prompt, ...turn.answers].map((message) => essence(message, how))
      later(told("turn", folder ?? directory, { session, messages: parts }))
    }
  }

  const briefed = async ({ sessionID }, { message, parts }, end) => {
    const prompt = textOf(parts)
    if (!prompt.trim()) return
    const session = await known(sessionID)
    if (session.isChild) return
    written_(sessionID).add(message.id)
    const text = await asked("prompt", session.directory ?? directory, { session: sessionID, prompt }, end)
    if (!text || performance.now() >= end) return
    briefings.set(message.id, text)
    if (briefings.size > KEPT) briefings.delete(briefings.keys().next().value)
  }

  const compacted = async ({ sessionID }, output, end) => {
    compacting.add(sessionID)
    const session = await known(sessionID)
    const text = await asked("compact", session.directory ?? directory, { session: sessionID }, end)
    if (text && performance.now() < end) output.context.push(text)
  }

  const happened = {
    "session.created": ({ info }) => know(info),
    "session.updated": ({ info }) => know(info),
    "session.idle": ({ sessionID }) => later(ended(sessionID)),
  }

  process.on("exit", spoolUntold)
  later((async () => isOurs() && answered(undefined, performance.now() + TOLD).catch(start))())

  return {
    event: async ({ event }) => {
      try {
        happened[event.type]?.(event.properties)
      } catch {}
    },
    "chat.message": async (input, output) => {
      const end = performance.now() + latest
      await inTime(briefed(input, output, end - 10), end)
    },
    "experimental.chat.messages.transform": async (_, { messages }) => {
      try {
        const session = messages[0]?.info.sessionID
        if (messages.length === 0) compacting.clear()
        if (compacting.delete(session)) return
        for (const { info, parts } of messages) {
          const text = briefings.get(info.id)
          if (!text) continue
          const { id, sessionID } = info
          parts.unshift({ id: `prt_${id}`, messageID: id, sessionID, type: "text", text, synthetic: true })
        }
      } catch {}
    },
    "tool.execute.after": async (input, output) => {
      try {
        if (!outcomes.has(input.sessionID)) outcomes.set(input.sessionID, new Map())
        outcomes.get(input.sessionID).set(input.callID, used(input, output))
      } catch {}
    },
    "experimental.session.compacting": async (input, output) => {
      const end = performance.now() + latest
      await inTime(compacted(input, output, end - 10), end)
    },
    dispose: async () => {
      const end = new Promise((resolve) => setTimeout(resolve, DISPOSED).unref())
      while (pending.size && (await Promise.race([Promise.allSettled([...pending]), end])));
      process.off("exit", spoolUntold)
    },
  }
}
