// What somebody marks as private is in no spool either: `engine/masking/private.py` in the plugin's language, rule by
// rule. Pure.
const MARK = "[private]"
const TAG = /<[ \t\n\r\f\v]{0,8}(\/?)[ \t\n\r\f\v]{0,8}private(?:[ \t\n\r\f\v][^<>]{0,200})?(?<!\/)>/gi

/** The text, everything private in it replaced by a mark. */
export function withoutPrivate(text) {
  if (!text.includes("<") || !text.toLowerCase().includes("private")) return text
  const opened = []
  const spans = []
  const add = (start, end) => {
    while (spans.length && spans.at(-1)[0] >= start) spans.pop()
    spans.push([start, end])
  }
  for (const tag of text.matchAll(TAG)) {
    const end = tag.index + tag[0].length
    const mentioned = text[tag.index - 1] === "`" && text[end] === "`"
    if (!tag[1]) opened.push([tag.index, mentioned])
    else if (opened.length && (opened.at(-1)[1] || !mentioned)) add(opened.pop()[0], end)
  }
  const left = opened.find(([, mentioned]) => !mentioned)
  if (left) add(left[0], text.length)
  let at = 0
  let kept = ""
  for (const [start, end] of spans) {
    kept += text.slice(at, start) + MARK
    at = end
  }
  return kept + text.slice(at)
}
