// Aftermind in OpenCode: what is said goes to the store's daemon, and what it knows comes before the prompt.
//
// A copy of this file lies in a store's `bin/` and belongs to that store. Node's builtins only. It understands little of
// what it forwards, never throws, and never keeps a turn waiting for longer than `LATEST`, beside its own work.
//
// A briefing is asked for in `chat.message`, once a prompt, and waited for and shown in
// `experimental.chat.messages.transform`: between the two OpenCode does much of its own. That hook is called for the
// conversation alone (the title is made without it) and changes nothing that OpenCode keeps: what is forgotten is in no
// other program's database, and a shared session shows nobody's memory. A briefing stays where it was shown first, so that
// the model's provider finds its cached beginning again; a system message would change with every prompt.
import { asked, lookedFor, mentioned, patience, told } from "./opencode_daemon.js"
import { withdrawn } from "./opencode_dependencies.js"
import { withoutPrivate } from "./opencode_private.js"
import { ended, essence, textOf, turns, used, waiting } from "./opencode_turns.js"

const LATEST = 300 // milliseconds after which a turn goes on, unless the plugin's option `milliseconds` says otherwise
const DISPOSED = 3000 // for all that is pending, when OpenCode ends
const KEPT = 500 // briefings of one process that stay where they were shown
const PAGE = 50 // messages that are looked at first

export const Aftermind = async ({ client, directory }, options) => {
  const latest = options?.milliseconds > 0 ? options.milliseconds : LATEST
  const sessions = new Map() // id → { isChild, directory } of those that are known
  const written = new Map() // session → ids of prompts that were not told of yet
  const answering = new Map() // session → id of the prompt whose answer is under way
  const outcomes = new Map() // session → callID → how it went
  const briefings = new Map() // id of a prompt → what is shown for it, or the promise of it
  const compacting = new Set()
  const fresh = new Set() // sessions that began, or were compacted, and had no prompt since
  const pending = new Set()

  const know = (info) => sessions.set(info.id, { isChild: Boolean(info.parentID), directory: info.directory ?? directory })
  const known = async (id) => {
    try {
      if (!sessions.has(id)) know((await client.session.get({ path: { id } })).data)
    } catch {} // better a subagent's exchange too many than a person's too few
    return sessions.get(id) ?? { isChild: false, directory }
  }
  const later = (work) => {
    const done = work.catch(() => "").finally(() => pending.delete(done))
    pending.add(done)
  }
  const inTime = (work) => {
    const wait = patience(latest)
    return Promise.race([work(wait).catch(() => ""), wait.over]).finally(wait.close)
  }

  const promptsOf = (session) => written.get(session) ?? written.set(session, new Set()).get(session)

  /** All messages since the first of some; the newest come first. */
  const since = async (id, first) => {
    for (let limit = PAGE; ; limit *= 4) {
      const found = (await client.session.messages({ path: { id }, query: { limit } })).data
      if (found.length < limit || found[0].info.id <= first) return found.filter(({ info }) => info.id >= first)
    }
  }

  /** Tells of every prompt that was answered. */
  const recorded = async (session) => {
    const prompts = written.get(session)
    const how = outcomes.get(session) ?? new Map()
    written.delete(session) // OpenCode may say twice that it is idle
    outcomes.delete(session)
    const { isChild, directory: folder } = await known(session)
    if (!prompts?.size || isChild) return
    let messages
    try {
      messages = await since(session, [...prompts].sort()[0])
    } catch (error) {
      for (const prompt of prompts) promptsOf(session).add(prompt) // the next turn tells of them
      throw error
    }
    const all = turns(messages)
    // one that came as another ended is answered next
    for (const { prompt } of waiting(all)) if (prompts.has(prompt.info.id)) promptsOf(session).add(prompt.info.id)
    for (const turn of ended(all)) {
      await told("turn", folder, { session, messages: essence(turn, how) })
    }
  }

  const briefed = async ({ sessionID }, { message, parts }, wait) => {
    const prompt = textOf(parts)
    if (!prompt.trim()) return ""
    promptsOf(sessionID).add(message.id)
    const session = await known(sessionID)
    if (session.isChild) return ""
    const said = { session: sessionID, message: message.id, prompt: withoutPrivate(prompt) }
    const begun = fresh.delete(sessionID) ? asked("start", session.directory, said, wait) : ""
    const texts = await Promise.all([begun, asked("prompt", session.directory, said, wait)])
    return texts.filter(Boolean).join("\n")
  }

  const compacted = async ({ sessionID }, output, wait) => {
    compacting.add(sessionID)
    const session = await known(sessionID)
    const text = await asked("compact", session.directory, { session: sessionID }, wait)
    if (text && wait.left() > 0) output.context.push(text)
  }

  /** Tells of the summary that took the place of what was said. */
  const summarized = async (session) => {
    const { isChild, directory: folder } = await known(session)
    if (isChild) return
    const found = (await client.session.messages({ path: { id: session }, query: { limit: PAGE } })).data
    const summary = found.findLast(({ info }) => info.summary === true)
    const before = found.find(({ info }) => info.id === summary.info.parentID)
    const trigger = before?.parts.find((part) => part.type === "compaction")?.auto ? "auto" : "manual"
    const text = withoutPrivate(textOf(summary.parts))
    await told("compacted", folder, { session, message: summary.info.id, trigger, text })
  }

  const noticed = async ({ sessionID: session, tool, callID }, state) => {
    const { isChild, directory: folder } = await known(session)
    if (isChild) return
    const prompts = promptsOf(session) // the last one may be queued
    const message = prompts.has(answering.get(session)) ? answering.get(session) : [...prompts].at(-1)
    await mentioned("tool", folder, { session, message, call: callID, tool: { type: "tool", tool, state } })
  }

  const happened = {
    "session.created": ({ info }) => know(info) && fresh.add(info.id),
    "session.updated": ({ info }) => know(info),
    "message.updated": ({ info }) => info.role === "assistant" && answering.set(info.sessionID, info.parentID),
    "session.compacted": ({ sessionID }) => fresh.add(sessionID) && later(summarized(sessionID)),
    "session.idle": ({ sessionID }) => later(recorded(sessionID)),
    "session.deleted": ({ info }) => [sessions, written, answering, outcomes, fresh].forEach((known) => known.delete(info.id)),
  }

  later(lookedFor())
  later(Promise.resolve(directory).then(withdrawn))

  return {
    event: async ({ event }) => {
      try {
        happened[event.type]?.(event.properties)
      } catch {}
    },
    "chat.message": async (input, output) => {
      try {
        const briefing = inTime((wait) => briefed(input, output, wait))
        later(briefing)
        briefings.set(output.message.id, briefing)
        if (briefings.size > KEPT) briefings.delete(briefings.keys().next().value)
      } catch {}
    },
    "experimental.chat.messages.transform": async (_, { messages }) => {
      try {
        const session = messages[0]?.info.sessionID
        if (messages.length === 0) compacting.clear()
        if (compacting.delete(session)) return
        for (const { info, parts } of messages) {
          const text = await briefings.get(info.id)
          if (!text) continue
          briefings.set(info.id, text)
          const { id, sessionID } = info
          parts.unshift({ id: `prt_${id}`, messageID: id, sessionID, type: "text", text, synthetic: true })
        }
      } catch {}
    },
    "tool.execute.after": async (input, output) => {
      try {
        if (!outcomes.has(input.sessionID)) outcomes.set(input.sessionID, new Map())
        const state = used(input, output)
        outcomes.get(input.sessionID).set(input.callID, state)
        later(noticed(input, state))
      } catch {}
    },
    "experimental.session.compacting": async (input, output) => {
      await inTime((wait) => compacted(input, output, wait))
    },
    dispose: async () => {
      const end = new Promise((resolve) => setTimeout(resolve, DISPOSED).unref())
      while (pending.size && (await Promise.race([Promise.allSettled([...pending]), end])));
    },
  }
}
