import { recommendations } from './client.ts'
import { Problem } from './problem.ts'
import type { Answer } from './types.ts'

const PAUSE_MS = 120 // a pause in typing, after which the question is asked
const AGAIN_MS = 3000 // between two tries while the service does not answer
const MS_A_SECOND = 1000
const LONGEST_MS = 2 ** 31 - 1 // that a timer takes; beyond it, it would fire at once

/** What an asked question ends in. */
export interface Outcome {
  begin: () => void
  answered: (answer: Answer, query: URLSearchParams) => void
  failed: (problem: Problem) => void
}

/** Asks the service one question at a time: a newer one ends the one before, and a lost one is asked again. */
export class Asking {
  private asked = new AbortController()
  private timer = 0

  constructor(private readonly outcome: Outcome) {}

  /** Asks after a pause in typing. */
  soon(question: () => URLSearchParams): void {
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => {
      this.now(question())
    }, PAUSE_MS)
  }

  /** Asks at once. */
  now(query: URLSearchParams): void {
    clearTimeout(this.timer)
    this.asked.abort()
    this.asked = new AbortController()
    this.outcome.begin()
    void this.settle(query, this.asked.signal)
  }

  private async settle(query: URLSearchParams, signal: AbortSignal): Promise<void> {
    try {
      const answer = await recommendations(query, signal)
      if (!signal.aborted) this.outcome.answered(answer, query)
    } catch (error) {
      if (signal.aborted) return
      const problem = error instanceof Problem ? error : new Problem('failed', String(error))
      this.outcome.failed(problem)
      const pause = problem.lost ? AGAIN_MS : problem.wait && problem.wait * MS_A_SECOND
      if (pause) this.timer = window.setTimeout(() => { this.now(query) }, Math.min(pause, LONGEST_MS))
    }
  }
}
