import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { matchPath } from '../../src/http/router.ts'
import { Empty } from './empty.tsx'
import { KEYS, useKeys } from './keys.ts'
import { useConnected } from './live.ts'
import { OpenFile } from './open-file.tsx'
import { ComparePage } from './pages/compare.tsx'
import { DatasetPage, DatasetsPage } from './pages/datasets.tsx'
import { ExperimentPage } from './pages/experiment.tsx'
import { ExperimentsPage } from './pages/experiments.tsx'
import { SessionsPage, UsersPage } from './pages/groups.tsx'
import { ModelsPage } from './pages/models.tsx'
import { PlaygroundPage } from './pages/playground.tsx'
import { PromptPage, PromptsPage } from './pages/prompts.tsx'
import { ScoresPage } from './pages/scores.tsx'
import { SessionPage } from './pages/session.tsx'
import { followLinks, usePageLocation } from './router.ts'
import { themeChosen, turnTheme } from './theme.ts'
import { TracePage } from './trace/page.tsx'
import { TracesPage } from './traces/page.tsx'

type Page = (params: Readonly<Record<string, string>>) => JSX.Element

/** Every address of the page. */
const PAGES: readonly (readonly [pattern: string, section: string, page: Page])[] = [
  ['/', 'Traces', () => <TracesPage />],
  ['/traces/{traceId}', 'Traces', ({ traceId = '' }) => <TracePage key={traceId} traceId={traceId} />],
  ['/compare', 'Traces', () => <ComparePage />],
  ['/playground', 'Traces', () => <PlaygroundPage />],
  ['/sessions', 'Sessions', () => <SessionsPage />],
  ['/sessions/{sessionId}', 'Sessions', ({ sessionId = '' }) => <SessionPage key={sessionId} sessionId={sessionId} />],
  ['/users', 'Users', () => <UsersPage />],
  ['/models', 'Models', () => <ModelsPage />],
  ['/scores', 'Scores', () => <ScoresPage />],
  ['/prompts', 'Prompts', () => <PromptsPage />],
  ['/prompts/{name}', 'Prompts', ({ name = '' }) => <PromptPage key={name} name={name} />],
  ['/datasets', 'Datasets', () => <DatasetsPage />],
  ['/datasets/{name}', 'Datasets', ({ name = '' }) => <DatasetPage key={name} name={name} />],
  ['/experiments', 'Experiments', () => <ExperimentsPage />],
  ['/experiments/{id}', 'Experiments', ({ id = '' }) => <ExperimentPage key={id} id={id} />],
]

const SECTIONS: readonly (readonly [name: string, href: string])[] = [
  ['Traces', '/'],
  ['Sessions', '/sessions'],
  ['Users', '/users'],
  ['Models', '/models'],
  ['Scores', '/scores'],
  ['Prompts', '/prompts'],
  ['Datasets', '/datasets'],
  ['Experiments', '/experiments'],
]

export function App() {
  const { path } = usePageLocation()
  const [help, setHelp] = useState(false)
  useEffect(() => followLinks(), [])
  useKeys({
    '?': () => setHelp(true),
    '/': () => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus(),
  })
  const found = PAGES.map(([pattern, section, page]) => ({ params: matchPath(pattern, path), section, page })).find(
    ({ params }) => params !== undefined,
  )
  return (
    <>
      <Bar section={found?.section} onHelp={() => setHelp(true)} />
      <main>{found ? found.page(found.params ?? {}) : <Empty title="There is no such page" />}</main>
      {help && <Help onClose={() => setHelp(false)} />}
    </>
  )
}

function Bar({ section, onHelp }: { section: string | undefined; onHelp: () => void }) {
  const connected = useConnected()
  const [theme, setTheme] = useState(themeChosen)
  return (
    <header class="bar">
      <a class="brand" href="/">
        svc-local
      </a>
      <nav aria-label="Sections">
        {SECTIONS.map(([name, href]) => (
          <a key={name} href={href} aria-current={name === section ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <span class="space" />
      <OpenFile />
      <span class={connected ? 'live on' : 'live'} role="status">
        {connected ? 'live' : 'not connected'}
      </span>
      <button
        type="button"
        class="quiet"
        onClick={() => setTheme(turnTheme())}
        title="Light, dark, or as the system has it"
      >
        {theme}
      </button>
      <button type="button" class="quiet" onClick={onHelp} aria-label="Keyboard" title="Keyboard (?)">
        ?
      </button>
    </header>
  )
}

function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog class="help" ref={dialog} aria-label="Keyboard" onClose={onClose}>
      <h2>Keyboard</h2>
      <dl>
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split('  ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  )
}
