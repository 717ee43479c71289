const MOST = 20 // answers to questions that are posted, of a few kilobytes each

/** The status of an answer that stands. */
export const NOT_MODIFIED = 304

interface Kept {
  tag: string
  text: string
}

const answers = new Map<string, Kept>()

/**
 * Sends a question that is posted, by where and in which language it is asked, and with it the name of the answer that
 * was given before: the service then says that it stands. What is asked by address, the browser keeps by itself.
 */
export async function posted(
  asked: string, body: string, send: (headers: Record<string, string>) => Promise<Response>,
): Promise<string> {
  const question = `${asked} ${body}`
  const known = answers.get(question)
  const response = await send(known ? { 'If-None-Match': known.tag } : {})
  if (known && response.status === NOT_MODIFIED) return known.text
  const text = await response.text()
  keep(question, response.headers.get('ETag'), text)
  return text
}

function keep(question: string, tag: string | null, text: string): void {
  if (!tag) return
  answers.delete(question)
  answers.set(question, { tag, text })
  const [oldest] = answers.keys()
  if (answers.size > MOST && oldest !== undefined) answers.delete(oldest)
}
