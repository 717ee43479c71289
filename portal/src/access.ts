import { store, stored } from './storage.ts'

const PRINTABLE = /^[!-~]+$/ // a header carries nothing else
const STORED = 'plimsoll-key' // in the tab's own storage, which ends with the tab

let secret = stored(STORED, 'sessionStorage')

/** Whether questions are sent with an API key. */
export function hasKey(): boolean {
  return secret !== ''
}

/** Sends questions with this key from now on; `keep` lets it outlive a reload of the tab. */
export function useKey(key: string, keep: boolean): void {
  const text = key.trim()
  secret = PRINTABLE.test(text) ? text : ''
  store(STORED, keep ? secret : '', 'sessionStorage')
}

/** Sends questions without a key again. */
export function forgetKey(): void {
  useKey('', false)
}

/** The headers that show the key, if there is one. */
export function credentials(): Record<string, string> {
  return secret ? { Authorization: `Bearer ${secret}` } : {}
}
