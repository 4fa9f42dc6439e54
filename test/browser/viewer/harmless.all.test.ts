import { type LocalService, startLocal } from '@svc/local'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BROWSER_TIMEOUT, complaintsOf, openBrowser } from '../../support/browser.ts'
import { send, spanId, traceIdOf } from './traces.ts'
import { openPrinted } from './use-page.ts'

const RUN = "globalThis.ran=1;fetch('http://elsewhere.test/')"
/** What a stranger's trace may hold. Each would run, or call home, where it is not shown harmlessly. */
const NASTY: readonly string[] = [
  `<script>${RUN}</script>`,
  `"><img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"><script>${RUN}</script></svg>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${RUN}">`,
  `<a href="javascript:${RUN}">a</a><form action="http://elsewhere.test/"><button>b</button></form>`,
  `<style>@import 'http://elsewhere.test/a.css'; body { background: url(http://elsewhere.test/b.png) }</style>`,
  `<link rel=stylesheet href=http://elsewhere.test/><base href=http://elsewhere.test/><meta http-equiv=refresh content="0;url=http://elsewhere.test/">`,
  `[click](javascript:${encodeURIComponent(RUN)}) [data](data:text/html,<script>${RUN}</script>) [v](vbscript:x)`,
  `![picture](http://elsewhere.test/pixel.png) ![svg](data:image/svg+xml,<svg onload=${RUN}>)`,
  `<http://elsewhere.test/"onmouseover="${RUN}>`,
  '`</code></pre><script>globalThis.ran=1</script>`',
  `__proto__`,
  `constructor`,
  `</title></textarea></noscript><script>${RUN}</script>`,
  `@@@svcMedia:type=image/svg+xml|id=../../x"onerror="ran=1|source=base64@@@`,
  `data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`)}`,
  `$\\href{javascript:${RUN}}{a}$ $$\\includegraphics{http://elsewhere.test/x.png}$$ \\(\\text{<img src=x onerror="${RUN}">}\\)`,
  `data:application/pdf;base64,${btoa(`<script>parent.ran=1;${RUN}</script>`)}`,
  `{{constructor.constructor('globalThis.ran=1')()}} \${ran=1}`,
  `‮${'a'.repeat(50)}\u0000\u001b[31m`,
]

let browser: Browser
let local: LocalService

beforeAll(async () => {
  browser = await openBrowser()
  local = await startLocal()
  for (const [at, text] of NASTY.entries()) {
    const calls = [
      { id: text, type: 'function', function: { name: text, arguments: JSON.stringify({ [text]: text }) } },
    ]
    const parts = [
      { type: 'text', text },
      { type: 'image_url', image_url: { url: text } },
      { type: 'input_audio', input_audio: { data: text, format: text } },
      text,
    ]
    const messages = [
      { role: text, name: text, content: text },
      { role: 'user', content: parts },
      { role: 'assistant', content: text, thinking: [{ type: 'thinking', content: text }], tool_calls: calls },
      { role: 'tool', tool_call_id: text, content: text },
    ]
    const tools = [{ type: 'function', function: { name: text, description: text, parameters: { [text]: text } } }]
    await send(local, traceIdOf(at), [
      {
        id: 1,
        name: text,
        from: 0,
        to: 1,
        failed: text,
        attributes: {
          'svc.trace.name': text,
          'user.id': text,
          'session.id': text,
          'svc.trace.tags': [text],
          'svc.observation.type': 'generation',
          'svc.observation.model.name': text,
          'svc.observation.model.parameters': JSON.stringify({ [text]: text }),
          'svc.observation.prompt.name': text,
          'svc.observation.prompt.version': 1,
          'svc.observation.usage_details': '{"input":1,"output":1}',
          [`svc.observation.metadata.${text}`]: text,
          'svc.observation.input': JSON.stringify({ messages, tools }),
          'svc.observation.output': at % 2 === 0 ? text : JSON.stringify([messages[2]]),
          'svc.experiment.id': text,
          'svc.experiment.name': text,
          'svc.experiment.item.id': text,
          'svc.experiment.item.expected_output': text,
        },
      },
    ])
    const authorization = `Basic ${btoa(`${local.publicKey}:${local.secretKey}`)}`
    const headers = { authorization, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      fetch(`${local.url}/api/public${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    await post('/scores', { name: text, value: text, traceId: traceIdOf(at), comment: text })
    await post('/v2/prompts', {
      name: text,
      type: 'text',
      prompt: text,
      labels: ['production'],
      commitMessage: text,
      tags: [text],
    })
    await post('/v2/datasets', { name: text, description: text })
    await post('/dataset-items', {
      datasetName: text,
      id: `item ${at}`,
      input: text,
      expectedOutput: text,
      metadata: { [text]: text },
    })
  }
}, BROWSER_TIMEOUT)
afterAll(async () => {
  await browser?.close()
  await local?.close()
})

it('content of a trace is never executed or loaded in the viewer, and stays in its place', async () => {
  const page = await browser.newPage()
  await openPrinted(page, local)
  const complaints = complaintsOf(page)
  const elsewhere: string[] = []
  page.on('request', (request) => {
    // The browser's viewer of PDFs loads its own parts.
    const isOurs = request.url().startsWith(local.url) || /^(data|blob|chrome|chrome-extension):/.test(request.url())
    if (!isOurs) elsewhere.push(request.url())
  })
  page.on('dialog', (dialog) => elsewhere.push(`dialog ${dialog.message()}`))
  const look = async (path: string, there: string) => {
    await page.goto(local.url + path)
    await page.locator(there).first().waitFor()
    const found = await page.evaluate(`({
      ran: globalThis.ran,
      strange: [...document.querySelectorAll('#app script, #app iframe:not([src^="blob:"]), #app style, #app link, #app base, #app meta, #app object, #app embed, #app svg, #app form[action]')].map((e) => e.outerHTML),
      handlers: [...document.querySelectorAll('#app *')].flatMap((e) => [...e.attributes]).filter(({ name }) => name.startsWith('on')).map(({ name }) => name),
      links: [...document.querySelectorAll('#app [href], #app [src]')].map((e) => e.getAttribute('href') ?? e.getAttribute('src')).filter((url) => !/^(https?:|\\/|blob:|mailto:|data:(audio|image.(png|jpe?g|gif|webp)))/.test(url)),
      title: document.title,
    })`)
    expect({ path, found }).toEqual({
      path,
      found: { ran: undefined, strange: [], handlers: [], links: [], title: 'svc-local' },
    })
  }
  for (const [path, there] of [
    ['/', '.row .name > a'],
    ['/sessions', '.row .name > a'],
    ['/users', '.row .name > a'],
    ['/scores', 'tbody tr'],
    ['/prompts', 'tbody tr'],
    ['/datasets', 'tbody tr'],
    ['/experiments', 'tbody tr'],
  ] as const) {
    await look(path, there)
  }
  for (const [at, text] of NASTY.entries()) {
    await look(`/traces/${traceIdOf(at)}?observation=${spanId(1)}`, '.part')
    await look(`/traces/${traceIdOf(at)}?observation=${spanId(1)}&view=json`, 'pre.raw')
    await look(`/?search=${encodeURIComponent(text)}&name=${encodeURIComponent(text)}`, '.list')
    await look(`/sessions/${encodeURIComponent(text)}`, '.turn')
    await look(`/prompts/${encodeURIComponent(text)}`, 'pre')
  }
  await look(`/compare?a=${traceIdOf(0)}&b=${traceIdOf(1)}`, '.diff')
  expect(elsewhere).toEqual([])
  // A media file that was never uploaded is the only thing that is not found.
  expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
}, 900_000)
