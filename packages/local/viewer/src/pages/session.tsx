import type { Session } from '../../../src/trace/pages/groups.ts'
import { useAnswer } from '../api.ts'
import { Chat, Content } from '../content/chat.tsx'
import { Json } from '../content/json.tsx'
import { Empty, Failed, Loading } from '../empty.tsx'
import { dollars, duration, exact } from '../format.ts'
import { Pager, usePage, Within } from '../listing.tsx'
import { useLive } from '../live.ts'
import { AddScore, ScoreMarks } from '../scores.tsx'
import { Page } from '../table.tsx'
import { Time } from '../time.tsx'

const PER_PAGE = 100

/** A session as a conversation: inputs on one side, outputs on the other. */
export function SessionPage({ sessionId }: { sessionId: string }) {
  const page = usePage()
  const { data, error, reload } = useAnswer<Session>(
    `/viewer/sessions/${encodeURIComponent(sessionId)}?offset=${(page - 1) * PER_PAGE}`,
  )
  useLive(reload)
  if (error) return <Failed error={error} />
  if (!data) return <Loading />
  if (data.total === 0) return <Empty title="No such session" />
  const cost = data.turns.reduce((sum, { trace }) => sum + (trace.cost ?? 0), 0)
  return (
    <Page
      title={
        <Within list="Sessions" href="/sessions">
          {sessionId}
        </Within>
      }
      tools={<AddScore about={{ sessionId }} onAdded={reload} />}
    >
      <p class="dim">
        {exact(data.total)} {data.total === 1 ? 'trace' : 'traces'}
        {cost > 0 &&
          `, ${dollars(
            cost,
            data.turns.some(({ trace }) => trace.estimated),
          )}`}{' '}
        <ScoreMarks scores={data.scores} />
      </p>
      <ol class="turns">
        {data.turns.map(({ trace, input, output, chat }) => (
          <li key={trace.traceId}>
            <header>
              <a href={`/traces/${trace.traceId}`}>{trace.name ?? 'no root yet'}</a>
              {trace.level === 'ERROR' && <span class="badge ERROR">error</span>}
              <ScoreMarks scores={trace.scores} />
              <span class="space" />
              <span class="dim">{duration(trace.endTime - trace.startTime)}</span>
              <Time micros={trace.startTime} />
            </header>
            <div class="turn input">
              <Said value={input} chat={chat.input} />
            </div>
            <div class="turn answered">
              <Said value={output} chat={chat.output} />
            </div>
          </li>
        ))}
      </ol>
      <Pager page={page} more={data.total > page * PER_PAGE} words={['Earlier', 'Later']} />
    </Page>
  )
}

function Said({ value, chat }: { value: unknown; chat: Session['turns'][number]['chat']['input'] }) {
  if (value === null) return <span class="dim">nothing</span>
  if (chat) return <Chat chat={{ ...chat, tools: [] }} />
  const [only, ...more] = typeof value === 'object' ? Object.values(value) : []
  // `{ question: '…' }` is the question.
  if (typeof only === 'string' && more.length === 0) return <Content content={only} />
  return typeof value === 'string' ? <Content content={value} /> : <Json value={value} />
}
