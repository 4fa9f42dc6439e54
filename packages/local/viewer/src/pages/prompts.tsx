import { useState } from 'preact/hooks'
import { request, useAnswer } from '../api.ts'
import { Chat } from '../content/chat.tsx'
import { comparable, Diff } from '../content/diff.tsx'
import { Json } from '../content/json.tsx'
import { Awaited, Copyable, Empty } from '../empty.tsx'
import { type ListPage, Pager, usePage, Within } from '../listing.tsx'
import { useLive } from '../live.ts'
import { go, usePageLocation, withQuery } from '../router.ts'
import { type Column, Page, Table } from '../table.tsx'
import { Time } from '../time.tsx'

interface Listed {
  readonly name: string
  readonly type: string
  readonly versions: readonly number[]
  readonly labels: readonly string[]
  readonly tags: readonly string[]
  readonly lastUpdatedAt: string
}

interface Prompt extends Pick<Listed, 'name' | 'type' | 'labels' | 'tags'> {
  readonly version: number
  readonly prompt: unknown
  readonly config: unknown
  readonly commitMessage: string | null
  readonly createdAt: string
}

const CODE =
  "await client.prompt.create({ name: 'greeting', type: 'text', prompt: 'Greet {{name}}.', labels: ['production'] })"
const COLUMNS: readonly Column<Listed>[] = [
  { title: 'Name', cell: ({ name }) => <a href={`/prompts/${encodeURIComponent(name)}`}>{name}</a> },
  { title: 'Kind', cell: ({ type }) => <span class="dim">{type}</span> },
  { title: 'Labels', cell: ({ labels }) => <Badges of={labels} /> },
  { title: 'Tags', cell: ({ tags }) => <Badges of={tags} /> },
  { title: 'Versions', right: true, cell: ({ versions }) => versions.length },
  { title: 'Changed', right: true, cell: ({ lastUpdatedAt }) => <Time micros={Date.parse(lastUpdatedAt) * 1_000} /> },
]

export function PromptsPage() {
  const page = usePage()
  const { data, error, reload } = useAnswer<ListPage<Listed>>(`/api/public/v2/prompts?limit=100&page=${page}`)
  useLive(reload)
  if (data?.data.length === 0 && page === 1) {
    return (
      <Empty title="No prompt yet">
        <p>Prompts that an application writes here have versions, labels and a history:</p>
        <Copyable text={CODE} />
      </Empty>
    )
  }
  return (
    <Page title="Prompts">
      <Awaited data={data} error={error} />
      {data && <Table label="Prompts" columns={COLUMNS} rows={data.data} keyOf={({ name }) => name} />}
      <Pager page={page} more={data && data.meta.totalPages > page} words={['Newer', 'Older']} />
    </Page>
  )
}

export function PromptPage({ name }: { name: string }) {
  const { query } = usePageLocation()
  const listed = useAnswer<ListPage<Listed>>(`/api/public/v2/prompts?name=${encodeURIComponent(name)}`)
  const versions = [...(listed.data?.data[0]?.versions ?? [])].reverse()
  const version = Number(query.get('version')) || versions[0]
  const against = Number(query.get('diff')) || undefined
  const shown = useAnswer<Prompt>(urlOf(name, version))
  const other = useAnswer<Prompt>(urlOf(name, against))
  useLive(({ things, all }) => {
    if (!all && !things.some((path) => path.includes('/prompts'))) return
    listed.reload()
    shown.reload()
  })
  if (listed.data && versions.length === 0) return <Empty title="No such prompt" />
  const prompt = shown.data
  return (
    <Page
      title={
        <Within list="Prompts" href="/prompts">
          {name}
        </Within>
      }
    >
      <div class="beside">
        <nav class="versions" aria-label="Versions">
          {versions.map((each) => (
            <div key={each}>
              <a
                href={withQuery({ version: String(each), diff: undefined })}
                aria-current={each === version ? 'page' : undefined}
              >
                Version {each}
              </a>
              {each !== version && (
                <a class="dim" href={withQuery({ version: String(version), diff: String(each) })}>
                  diff
                </a>
              )}
            </div>
          ))}
        </nav>
        <section aria-label="Version">
          <Awaited data={prompt} error={shown.error ?? listed.error} />
          {prompt && (
            <>
              <p>
                <Badges of={prompt.labels} /> <Badges of={prompt.tags} />{' '}
                <span class="dim">{prompt.commitMessage}</span> <Time micros={Date.parse(prompt.createdAt) * 1_000} />
              </p>
              <AddLabel prompt={prompt} onAdded={shown.reload} />
              {other.data ? (
                <>
                  <h2>
                    Version {against} → {version}
                  </h2>
                  <Diff before={comparable(other.data.prompt)} after={comparable(prompt.prompt)} />
                </>
              ) : (
                <Text prompt={prompt} />
              )}
              <h3>Config</h3>
              <Json value={prompt.config} />
            </>
          )}
        </section>
      </div>
    </Page>
  )
}

const urlOf = (name: string, version: number | undefined) =>
  version === undefined ? undefined : `/api/public/v2/prompts/${encodeURIComponent(name)}?version=${version}`

function Text({ prompt: { prompt } }: { prompt: Prompt }) {
  if (Array.isArray(prompt)) return <Chat chat={{ adapter: 'prompt', messages: prompt, tools: [] }} />
  return <Copyable text={String(prompt)} />
}

function AddLabel({ prompt: { name, version }, onAdded }: { prompt: Prompt; onAdded: () => void }) {
  const [error, setError] = useState('')
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const label = String(new FormData(form).get('label') ?? '').trim()
    try {
      const url = `/api/public/v2/prompts/${encodeURIComponent(name)}/versions/${version}`
      await request(url, { method: 'PATCH', body: { newLabels: [label] } })
      form.reset()
      setError('')
      onAdded()
      go(withQuery({}), { replace: true })
    } catch (failed) {
      setError((failed as Error).message)
    }
  }
  return (
    <form class="add-score" onSubmit={(event) => void onSubmit(event)}>
      <input name="label" required placeholder="production" aria-label="Label" size={12} />
      <button type="submit">Move label here</button>
      {error !== '' && (
        <span class="failed" role="alert">
          {error}
        </span>
      )}
    </form>
  )
}

function Badges({ of }: { of: readonly string[] }) {
  return (
    <>
      {of.map((each) => (
        <span key={each} class="badge">
          {each}
        </span>
      ))}
    </>
  )
}
