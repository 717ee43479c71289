import { hasKey } from '../access.ts'
import { curl, python } from '../calls.ts'
import { formatted } from '../client.ts'
import { html } from '../dom.ts'
import { linesOf } from '../problem.ts'
import { bodied, wordsOf } from '../request.ts'
import { store, stored } from '../storage.ts'
import { t } from '../texts/index.ts'
import { copyButton } from './copy.ts'

const STORED = 'plimsoll-format' // which was last looked at

/** The tools that formats are for, by the names that they go by. */
const TOOLS: Readonly<Record<string, string>> = {
  json: 'JSON', table: 'Text', csv: 'CSV', env: 'Shell variables', tfvars: 'Terraform', skypilot: 'SkyPilot',
  kubernetes: 'Kubernetes', sagemaker: 'SageMaker', karpenter: 'Karpenter', vertex: 'Vertex AI', azureml: 'Azure ML',
  dstack: 'dstack', slurm: 'Slurm', ray: 'Ray', aws_batch: 'AWS Batch',
}
const toolOf = (format: string): string => TOOLS[format] ?? format

/** The same answer in a format for scripts, and the calls that give it: each with a button that copies it. */
export function scripts(query: URLSearchParams, formats: readonly string[]): HTMLElement {
  const last = stored(STORED)
  const select = html('select', { id: 'format' }, formats.map((name) =>
    html('option', { value: name, selected: name === last }, toolOf(name))))
  const shown = preformatted(t.scripts.text)
  const call = preformatted(t.scripts.curl, curl(location.origin, query, select.value, hasKey()))
  const body = [
    html('h3', {}, t.scripts.curl), block(call),
    html('h3', {}, t.scripts.python), block(preformatted(t.scripts.python, python(location.origin, query))),
    html('p', {}, html('label', { for: 'format' }, t.scripts.format), select),
    block(shown),
  ]
  const links = formats.map((name) => html('a', {
    href: `/v1/recommendations?${query}&format=${name}`, download: `plimsoll-${name}`,
  }, toolOf(name)))
  const details = html('details', { class: 'scripts' }, html('summary', {}, t.scripts.title), body,
    hasKey() || bodied() ? null : html('p', { id: 'links', class: 'links' }, links.flatMap((link) => [link, ' '])))
  let asked = new AbortController()
  const ask = (): void => {
    asked.abort()
    asked = new AbortController()
    call.textContent = curl(location.origin, query, select.value, hasKey())
    void fillIn(shown, query, select.value, asked.signal)
  }
  select.addEventListener('change', () => {
    store(STORED, select.value)
    ask()
  })
  details.addEventListener('toggle', () => {
    if (details.open && !shown.textContent) ask()
  })
  return details
}

/** The formats that the service writes answers in. */
export const FORMATS: readonly string[] = wordsOf('format')

async function fillIn(target: HTMLElement, query: URLSearchParams, format: string, signal: AbortSignal): Promise<void> {
  try {
    target.textContent = await formatted(query, format, signal)
  } catch (error) {
    if (!signal.aborted) target.textContent = linesOf(error).join('\n')
  }
}

function preformatted(label: string, text = ''): HTMLPreElement {
  return html('pre', { tabindex: '0', role: 'region', 'aria-label': label }, text)
}

function block(text: HTMLPreElement): HTMLElement {
  return html('div', { class: 'block' }, text, copyButton(() => text.textContent))
}
