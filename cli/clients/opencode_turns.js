// What an exchange is among OpenCode's messages, and as much of them as the daemon makes one of
// (`importing/opencode_turns.py`). Pure.
import { withoutPrivate } from "./opencode_private.js"

const LONGEST_ERROR = 16_384 // characters of a tool's error that are handed over, from its end
// the words by which a tool's input says which file or folder it is about
const NAMED = /(^|[_-])(path|file|filename|filepath|dir|directory|folder|uri)s?$|[a-z](Path|File|Dir|Uri|URI)s?$/
const DEEPEST = 3 // lists and objects within one another in which it may be said, the input itself among them

const isText = (part) => part.type === "text" && !part.synthetic && !part.ignored
export const textOf = (parts) => parts.filter(isText).map((part) => part.text).join("\n")
/** Whether a user wrote it; OpenCode writes some of the messages of that role itself. */
const isWritten = ({ info, parts }) =>
  info.role === "user" && textOf(parts).trim() !== "" && !parts.some((part) => part.type === "compaction")

/** The turns among messages: each prompt with what answers it, also beyond a compaction. */
export function turns(messages) {
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

/** Those that were answered to the end: a turn that failed or was aborted never is. One that broke off for a tool goes
 * on, unless another prompt took its place. */
export function ended(all) {
  return all.filter(({ answers }, place) => {
    const last = answers.at(-1)?.info
    const goesOn = last?.finish === "tool-calls" && place === all.length - 1
    return last?.time?.completed && !last.error && !goesOn
  })
}

/** Those at the end whose answer may still come: it has not begun, or goes on. */
export function waiting(all) {
  const over = all.findLastIndex(({ answers }) => {
    const last = answers.at(-1)?.info
    return last && (last.error || (last.time?.completed && last.finish !== "tool-calls"))
  })
  return all.slice(over + 1)
}

/** As much of a turn as its exchange is made of; tools may have read and written whatever there is. What is private
 * may begin in one part and end in another, so the texts of a side are one text first. */
export function essence({ prompt, answers }, outcomes) {
  const said = answers.filter(({ info }) => !info.error)
  const answer = said.flatMap(({ parts }) => parts.filter(isText).map((part) => part.text)).filter(Boolean).join("\n")
  return [prompt, ...answers].map(({ info, parts }, place) => {
    const { id, role, parentID, time, finish } = info
    const text = place === 0 ? textOf(prompt.parts) : info === said.at(-1)?.info ? answer : ""
    const tools = parts.filter((part) => part.type === "tool")
    return {
      info: { id, role, parentID: place ? prompt.info.id : parentID, time, finish, error: info.error && true },
      parts: [
        ...tools.map(({ tool, callID, state }) => ({ type: "tool", tool, state: outcomes.get(callID) ?? outcome(state) })),
        ...(text ? [{ type: "text", text: withoutPrivate(text) }] : []),
      ],
    }
  })
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

const end = (text) => (typeof text === "string" ? withoutPrivate(text).slice(-LONGEST_ERROR) : undefined)

const naming = (input) => named("", input, DEEPEST) ?? {}

function named(name, value, deep) {
  if (typeof value === "string") return NAMED.test(name) ? value : undefined
  if (!deep || !value || typeof value !== "object") return undefined
  const found = Object.entries(value)
    .map(([key, one]) => [key, named(Array.isArray(value) ? name : key, one, deep - 1)])
    .filter(([, one]) => one !== undefined)
  if (!found.length) return undefined
  return Array.isArray(value) ? found.map(([, one]) => one) : Object.fromEntries(found)
}

/** How a tool's use went, from either shape: a builtin tool's, and that of one behind MCP. */
export function used({ args }, output) {
  if (!Array.isArray(output?.content)) return outcome({ status: "completed", input: args, metadata: output?.metadata })
  const text = output.content.map((part) => part?.text ?? "").join("\n")
  const failed = output.isError === true
  return { status: failed ? "error" : "completed", input: naming(args), error: failed ? end(text) : undefined }
}
