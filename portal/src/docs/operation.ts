import { html } from '../dom.ts'
import { copyButton } from './copy.ts'
import { askedOf, checkBody, clear, mark, open } from './fields.ts'
import { curlOf, headersOf, type Key } from './request.ts'
import { answerOf, isFailed, lineOf, lostBox } from './result.ts'
import { type Outcome, problemOf, send } from './send.ts'

/** An operation that can be tried: its form sends what it says, and shows what comes back. */
export class Operation {
  private readonly curl = html('pre', { tabindex: 0, 'aria-label': 'The same with curl' })
  private readonly line: HTMLElement
  private readonly answer: HTMLElement
  private readonly cancel: HTMLButtonElement
  private running: AbortController | null = null

  constructor(private readonly form: HTMLFormElement, private readonly key: Key | null) {
    this.line = part(form, '[role=status]')
    this.answer = part(form, '[data-answer]')
    this.cancel = part(form, '[data-do=cancel]') as HTMLButtonElement
    const bar = html('div', { class: 'bar' }, html('span', { class: 'facts' }, 'The same with curl'),
      copyButton('the curl command', this.curl))
    part(form, '[data-curl]').append(bar, this.curl)
    open(form)
    this.listen()
    this.changed()
  }

  /** Writes the equal command anew. */
  changed(): void {
    this.curl.textContent = curlOf(askedOf(this.form), location.origin, this.keyToSend())
  }

  private listen(): void {
    this.form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.send()
    })
    this.form.addEventListener('input', () => {
      checkBody(this.form)
      this.changed()
    })
    this.form.addEventListener('reset', () => {
      setTimeout(() => { // the fields have their old values until the event is over
        mark(this.form, [])
        this.changed()
      })
    })
    this.form.querySelector('[data-do=clear]')?.addEventListener('click', () => {
      clear(this.form)
      mark(this.form, [])
      this.changed()
    })
    this.cancel.addEventListener('click', () => this.running?.abort())
    this.form.querySelector('[data-body]')?.addEventListener('keydown', (event) => {
      const { key, ctrlKey, metaKey } = event as KeyboardEvent
      if (key === 'Enter' && (ctrlKey || metaKey)) this.form.requestSubmit()
    })
  }

  private async send(): Promise<void> {
    this.running?.abort()
    const running = this.running = new AbortController()
    const asked = askedOf(this.form)
    const headers = headersOf(asked, this.keyToSend())
    this.cancel.disabled = false
    this.say('Sending …')
    try {
      this.show(await send(asked.path, { method: asked.method, headers, body: asked.body, signal: running.signal }))
    } catch (error) {
      if (running === this.running) this.failed(error)
    }
    if (running !== this.running) return // another one was sent meanwhile
    this.cancel.disabled = true
    this.running = null
  }

  private show(outcome: Outcome): void {
    mark(this.form, problemOf(outcome)?.errors ?? [])
    this.say(lineOf(outcome), isFailed(outcome))
    this.answer.replaceChildren(...answerOf(outcome))
  }

  private failed(error: unknown): void {
    const isCancelled = error instanceof DOMException && error.name === 'AbortError'
    this.say(isCancelled ? 'Cancelled' : 'No answer', !isCancelled)
    this.answer.replaceChildren(...(isCancelled ? [] : [lostBox()]))
  }

  private say(words: string, isFailure = false): void {
    this.line.textContent = words
    this.line.classList.toggle('failed', isFailure)
  }

  private keyToSend(): Key | null {
    return this.form.dataset.secured !== undefined && this.key?.secret() ? this.key : null
  }
}

function part(form: HTMLFormElement, selector: string): HTMLElement {
  const found = form.querySelector<HTMLElement>(selector)
  if (!found) throw new Error(`The form of ${form.dataset.path ?? 'an operation'} has no ${selector}`)
  return found
}
