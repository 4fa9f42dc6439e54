import type { Group } from '../../../src/trace/pages/groups.ts'
import { useAnswer } from '../api.ts'
import { ColumnChoice, type ListColumn, NAME, NUMBER, PREVIEW, SHORT, useColumns } from '../columns.tsx'
import { Awaited, Copyable, Empty } from '../empty.tsx'
import { amount, dollars, exact } from '../format.ts'
import { List } from '../list.tsx'
import { Pager, usePage } from '../listing.tsx'
import { useLive } from '../live.ts'
import { go, usePageLocation, withQuery } from '../router.ts'
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
  const columns = useColumns(of.title.toLowerCase(), () => columnsOf(of))
  useLive(reload)
  if (data?.data.length === 0 && search === '' && page === 1) {
    return (
      <Empty title={of.none}>
        <p>{of.hint}</p>
        <Copyable text={of.code} />
      </Empty>
    )
  }
  return (
    <div class="list-page">
      <section class="list" aria-label={of.title} style={columns.style}>
        <div class="tools">
          <h1>{of.title}</h1>
          <input
            type="search"
            aria-label="Search"
            placeholder={`Search ${of.title.toLowerCase()}`}
            value={search}
            onInput={({ currentTarget }) =>
              go(withQuery({ search: currentTarget.value, page: undefined }), { replace: true })
            }
          />
          <span class="space" />
          <ColumnChoice {...columns} />
        </div>
        <Awaited data={data} error={error} />
        {data && (
          <List
            key={String(parameters)}
            label={of.title}
            count={data.data.length}
            at={(index) => data.data[index]}
            columns={columns}
            linkOf={({ id }) => of.link(id)}
          />
        )}
        <Pager page={page} more={data?.more} words={['Newer', 'Older']} />
      </section>
    </div>
  )
}

const columnsOf = ({ name, link, other }: typeof SESSIONS): readonly ListColumn<Group>[] => [
  {
    ...{ key: 'name', title: name, ...NAME },
    cell: ({ id, level }) => (
      <>
        <span class={`dot ${level}`} title={level} />
        <a class="cover" href={link(id)}>
          {id}
        </a>
      </>
    ),
  },
  {
    key: 'input',
    title: 'Last input',
    ...PREVIEW,
    about: ({ question }) => question,
    cell: ({ question }) => question,
  },
  { key: 'output', title: 'Last output', ...PREVIEW, about: ({ answer }) => answer, cell: ({ answer }) => answer },
  { key: 'other', title: other, ...SHORT, from: 600, cell: ({ other }) => other },
  { key: 'traces', title: 'Traces', width: '52px', ...NUMBER, cell: ({ traces }) => exact(traces) },
  {
    ...{ key: 'tokens', title: 'Tokens', width: '52px', ...NUMBER, from: 900 },
    cell: ({ tokens }) => (tokens > 0 ? amount(tokens) : ''),
  },
  {
    ...{ key: 'cost', title: 'Cost', width: '84px', ...NUMBER },
    cell: ({ cost, estimated }) => (cost === null ? '' : dollars(cost, estimated)),
  },
  {
    ...{ key: 'first', title: 'First', width: '80px', ...NUMBER, from: 900 },
    cell: ({ startTime }) => <Time micros={startTime} short />,
  },
  {
    key: 'last',
    title: 'Last',
    width: 'min(160px, 22vw)',
    ...NUMBER,
    from: 0,
    cell: ({ endTime }) => <Time micros={endTime} />,
  },
]
