import type { ComponentChildren } from 'preact'
import { writeText } from '../../../src/exact-json.ts'
import type { Detail, TraceOutline } from '../../../src/trace/pages/trace.ts'
import { useAnswer } from '../api.ts'
import { comparable, Diff } from '../content/diff.tsx'
import { Empty, Failed, Loading } from '../empty.tsx'
import { dollars, duration, exact } from '../format.ts'
import { usePageLocation } from '../router.ts'
import { Page } from '../table.tsx'
import { Half } from '../trace/half.tsx'

/** Two observations, or the roots of two traces, side by side. */
export function ComparePage() {
  const { query } = usePageLocation()
  const [a, b] = [useSubject(query.get('a')), useSubject(query.get('b'))]
  const error = a.error ?? b.error
  if (query.get('a') === null || query.get('b') === null) {
    return (
      <Empty title="Nothing to compare yet">
        <p>
          Press <kbd>c</kbd> on a trace or an observation, and again on another one.
        </p>
      </Empty>
    )
  }
  if (error) return <Failed error={error} />
  if (!a.detail || !b.detail) return <Loading />
  const [left, right] = [a.detail, b.detail]
  return (
    <Page title="Compare">
      <table aria-label="Facts">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">
              <SubjectLink detail={left} />
            </th>
            <th scope="col">
              <SubjectLink detail={right} />
            </th>
          </tr>
        </thead>
        <tbody>
          {FACTS.map(([name, read]) => [name, read(left), read(right)] as const)
            .filter(([, one, other]) => one !== '' || other !== '')
            .map(([name, one, other]) => (
              <tr key={name} class={one === other ? undefined : 'differs'}>
                <th scope="row">{name}</th>
                <td>{one}</td>
                <td>{other}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {(['input', 'output'] as const).map((half) => (
        <section key={half} aria-label={`Difference of the ${half}`}>
          <h2>Difference of the {half}</h2>
          <Diff before={readable(left, half)} after={readable(right, half)} />
        </section>
      ))}
      <div class="sides">
        {[left, right].map((detail, at) => (
          <div key={at === 0 ? 'a' : 'b'}>
            <Half title="Input" value={detail.input} chat={detail.chat.input} />
            <Half title="Output" value={detail.output} chat={detail.chat.output} />
          </div>
        ))}
      </div>
    </Page>
  )
}

/** A chat as its messages, without the braces around them. */
function readable({ chat, ...detail }: Detail, half: 'input' | 'output'): string {
  const messages = chat[half]?.messages
  if (!messages) return comparable(detail[half])
  return messages
    .map((message) => {
      const { role = '', content, ...rest } = message as Readonly<Record<string, unknown>>
      const more = Object.keys(rest).length > 0 ? `\n${comparable(rest)}` : ''
      return `${writeText(role)}:\n${comparable(content)}${more}`
    })
    .join('\n\n')
}

const FACTS: readonly (readonly [name: string, read: (detail: Detail) => string])[] = [
  ['Latency', ({ startTime, endTime }) => duration(endTime - startTime)],
  ['First token', ({ completionStartTime: first, startTime }) => (first === null ? '' : duration(first - startTime))],
  ['Model', ({ model }) => model ?? ''],
  ['Parameters', ({ modelParameters }) => entries(modelParameters)],
  ['Tokens', ({ tokens }) => (tokens.total > 0 ? `${exact(tokens.input)} → ${exact(tokens.output)}` : '')],
  ['Usage', ({ usage }) => entries(usage)],
  ['Cost', ({ cost, estimated }) => (cost === null ? '' : dollars(cost, estimated))],
  ['Prompt', ({ promptName, promptVersion }) => (promptName === null ? '' : `${promptName} v${promptVersion ?? '?'}`)],
  ['Level', ({ level }) => level],
  ['Status', ({ statusMessage }) => statusMessage ?? ''],
  ['Version, release', ({ version, release }) => [version, release].filter((part) => part !== null).join(', ')],
]

const entries = (map: Readonly<Record<string, unknown>>): string =>
  Object.entries(map)
    .map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ')

function SubjectLink({ detail: { traceId, id, name } }: { detail: Detail }): ComponentChildren {
  return <a href={`/traces/${traceId}?observation=${id}`}>{name}</a>
}

function useSubject(subject: string | null): { detail: Detail | undefined; error: Error | undefined } {
  const [traceId = '', observation] = (subject ?? '').split(':')
  const base = `/viewer/traces/${encodeURIComponent(traceId)}`
  const trace = useAnswer<TraceOutline>(subject === null || observation !== undefined ? undefined : base)
  const id = observation ?? trace.data?.observations[0]?.id
  const detail = useAnswer<Detail>(id === undefined ? undefined : `${base}/observations/${encodeURIComponent(id)}`)
  return { detail: detail.data, error: trace.error ?? detail.error }
}
