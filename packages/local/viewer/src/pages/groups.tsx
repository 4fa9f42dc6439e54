import type { Group } from '../../../src/trace/pages/groups.ts'
import { useAnswer } from '../api.ts'
import { Awaited, Copyable, Empty } from '../empty.tsx'
import { amount, dollars, exact } from '../format.ts'
import { Pager, usePage } from '../listing.tsx'
import { useLive } from '../live.ts'
import { go, usePageLocation, withQuery } from '../router.ts'
import { type Column, Page, Short, Table } from '../table.tsx'
import { Time } from '../time.tsx'

const PER_PAGE = 100

const SESSIONS = {
  title: 'Sessions',
  url: '/viewer/sessions',
  name: 'Session',
  link: (id: string) => `/sessions/${encodeURIComponent(id)}`,
  other: 'User',
  none: 'No session yet',
  hint: 'Traces of one conversation belong together when they say which one:',
  code: "await propagateAttributes({ sessionId: 'chat-7', userId: 'ada' }, () => answer(question))",
}

const USERS = {
  title: 'Users',
  url: '/viewer/users',
  name: 'User',
  link: (id: string) => `/?user=${encodeURIComponent(id)}`,
  other: 'Sessions',
  none: 'No user yet',
  hint: 'Traces have a user when they say who it is:',
  code: "await propagateAttributes({ userId: 'ada' }, () => answer(question))",
}

export const SessionsPage = () => <Groups of={SESSIONS} />
export const UsersPage = () => <Groups of={USERS} />

function Groups({ of }: { of: typeof SESSIONS }) {
  const { query } = usePageLocation()
  const page = usePage()
  const search = query.get('search') ?? ''
  const parameters = new URLSearchParams({ search, limit: String(PER_PAGE), offset: String((page - 1) * PER_PAGE) })
  const { data, error, reload } = useAnswer<{ data: readonly Group[]; more: boolean }>(`${of.url}?${parameters}`)
  useLive(reload)
  if (data?.data.length === 0 && search === '' && page === 1) {
    return (
      <Empty title={of.none}>
        <p>{of.hint}</p>
        <Copyable text={of.code} />
      </Empty>
    )
  }
  const columns: readonly Column<Group>[] = [
    {
      title: of.name,
      cell: ({ id, level }) => (
        <>
          <span class={`dot ${level}`} title={level} /> <a href={of.link(id)}>{id}</a>
        </>
      ),
    },
    { title: 'Last input', cell: ({ question }) => <Short value={question} /> },
    { title: 'Last output', cell: ({ answer }) => <Short value={answer} /> },
    { title: of.other, cell: ({ other }) => other },
    { title: 'Traces', right: true, cell: ({ traces }) => exact(traces) },
    { title: 'Tokens', right: true, cell: ({ tokens }) => (tokens > 0 ? amount(tokens) : '') },
    { title: 'Cost', right: true, cell: ({ cost, estimated }) => (cost === null ? '' : dollars(cost, estimated)) },
    { title: 'First', right: true, cell: ({ startTime }) => <Time micros={startTime} short /> },
    { title: 'Last', right: true, cell: ({ endTime }) => <Time micros={endTime} /> },
  ]
  return (
    <Page
      title={of.title}
      tools={
        <input
          type="search"
          aria-label="Search"
          placeholder={`Search ${of.title.toLowerCase()}`}
          value={search}
          onInput={({ currentTarget }) =>
            go(withQuery({ search: currentTarget.value, page: undefined }), { replace: true })
          }
        />
      }
    >
      <Awaited data={data} error={error} />
      {data && <Table label={of.title} columns={columns} rows={data.data} keyOf={({ id }) => id} />}
      <Pager page={page} more={data?.more} words={['Newer', 'Older']} />
    </Page>
  )
}
