import { exampleOf, type Tab } from '../form/tabs.ts'

/** Ten workloads that every machine is held against: examples of the page's tabs. */
const STANDARD: readonly (readonly [tab: Tab, example: number])[] = [
  ['finetune', 0], ['finetune', 1], ['finetune', 2], ['scratch', 0], ['scratch', 2],
  ['serve', 0], ['serve', 2], ['batch', 0], ['prepare', 0], ['hpc', 0],
]

/** A standard workload: where the page shows it, and its question. */
export interface Workload {
  tab: Tab
  question: URLSearchParams
}

export const WORKLOADS: readonly Workload[] = STANDARD.map(([tab, place]) => ({ tab, question: exampleOf(tab, place) }))
