/** What a framed page and the element around it say to each other. */
export interface Hello {
  plimsoll: 'hello'
  /** Values of the custom properties that themes set. */
  properties: Record<string, string>
}
export interface Height {
  plimsoll: 'height'
  pixels: number
}
export interface Selected {
  plimsoll: 'select'
  recommendation: unknown
}
export interface Answered {
  plimsoll: 'answer'
  answer: unknown
}

/** An API key for the page's questions. */
export interface Key {
  plimsoll: 'key'
  key: string
}

/** The custom properties that a theme may set, on the element or on any ancestor of it. */
export const PROPERTIES = [
  '--plimsoll-page', '--plimsoll-card', '--plimsoll-ink', '--plimsoll-soft', '--plimsoll-line', '--plimsoll-accent',
  '--plimsoll-accent-ink', '--plimsoll-font',
] as const

/** Whether something that came as a message is one of ours, of that kind. */
export function isMessage<Message extends { plimsoll: string }>(data: unknown, kind: Message['plimsoll']): data is Message {
  return typeof data === 'object' && data !== null && 'plimsoll' in data && data.plimsoll === kind
}
