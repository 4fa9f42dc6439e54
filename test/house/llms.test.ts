import { expect, it } from 'vitest'
import { files, read } from './repository.ts'

// `pnpm docs:llms` makes it of the pages: each with its title and its first sentence.
it('docs/llms.txt lists the pages', async () => {
  const pages = files('docs', '.md').filter((path) => !path.startsWith('docs/decisions/'))
  const lines = pages.map((path) => {
    const text = read(path)
    const [, title = ''] = /^# (.+)$/m.exec(text) ?? []
    return `- [${title}](${path.slice('docs/'.length)}): ${firstSentence(text)}`
  })
  const head = [
    '# svc',
    '',
    '> The Node SDK of svc, an observability service for LLM applications.',
    '',
    '## Pages',
    '',
  ]
  await expect(`${[...head, ...lines].join('\n')}\n`).toMatchFileSnapshot('../../docs/llms.txt')
})

/** The first sentence that is neither a heading, nor code, nor made by a test. */
function firstSentence(page: string): string {
  const prose = page.replace(/^```[\s\S]*?^```/gm, '').replace(/<!--[\s\S]*?-->/g, '')
  const paragraph = prose.split(/\n{2,}/).find((part) => /^\s*[A-Z`*[]/.test(part) && !part.includes('\n|')) ?? ''
  const [sentence = ''] = /^.*?[.:](?= |$)/.exec(paragraph.trim().replaceAll(/\s+/g, ' ')) ?? [paragraph.trim()]
  return sentence.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
}
