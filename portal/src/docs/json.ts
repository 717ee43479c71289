const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g
const INDENT = '  '

/** JSON with a line for each value, its numbers as they were written; what is no JSON is left as it is. */
export function indented(text: string): string {
  if (faultOf(text)) return text
  let depth = 0
  let before = ''
  let written = ''
  for (const token of text.match(TOKEN) ?? []) {
    if (closes(token)) depth -= 1
    written += (startsLine(before, token) ? `\n${INDENT.repeat(depth)}` : '') + (token === ':' ? ': ' : token)
    if (opens(token)) depth += 1
    before = token
  }
  return written
}

/** Why the text is no JSON, in the browser's words; null where it is. */
export function faultOf(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return (error as SyntaxError).message
  }
}

const opens = (token: string): boolean => token === '{' || token === '['
const closes = (token: string): boolean => token === '}' || token === ']'

/** Values and ends stand on lines of their own, but what is empty is one word. */
function startsLine(before: string, token: string): boolean {
  return closes(token) ? !opens(before) : opens(before) || before === ','
}
