import type { SpanDetail } from '../../../src/trace/pages/trace.ts'
import { useAnswer, useLast } from '../api.ts'
import { Json } from '../content/json.tsx'
import { Failed, Loading } from '../empty.tsx'
import { duration } from '../format.ts'
import { Section } from './half.tsx'

/** A span as it arrived: what the formatted view has no place for is here. */
export function SpanView({ traceId, id }: { traceId: string; id: string }) {
  const url = `/viewer/traces/${encodeURIComponent(traceId)}/observations/${encodeURIComponent(id)}/span`
  const { data, error } = useAnswer<SpanDetail>(url)
  const detail = useLast(data)
  if (error) return <Failed error={error} />
  if (!detail) return <Loading />
  const { span, otlp } = detail
  const { events, links, attributes, resource, scope } = span
  const since = (nanos: string) => duration(Number(BigInt(nanos) - BigInt(span.startTimeUnixNano)) / 1_000)
  return (
    <div class="detail-body">
      {events.length > 0 && (
        <Section title="Events" value={events}>
          {events.map(({ name, timeUnixNano, attributes }, at) => (
            <div key={at}>
              <p>
                <b>{name}</b> <span class="dim">after {since(timeUnixNano)}</span>
              </p>
              <Json value={attributes} />
            </div>
          ))}
        </Section>
      )}
      {links.length > 0 && (
        <Section title="Links" value={links}>
          {links.map((link, at) => (
            <div key={at}>
              <a href={`/traces/${encodeURIComponent(link.traceId)}?observation=${encodeURIComponent(link.spanId)}`}>
                {link.traceId}
              </a>
              <Json value={link.attributes} />
            </div>
          ))}
        </Section>
      )}
      <Section title="Attributes" value={attributes}>
        <Json value={attributes} />
      </Section>
      <Section title="Resource" value={resource}>
        <Json value={resource.attributes} />
      </Section>
      <Section title="Scope" value={scope}>
        <Json value={scope} />
      </Section>
      <Section title="OTLP" value={otlp}>
        <pre class="raw">{JSON.stringify(otlp, null, 2)}</pre>
      </Section>
    </div>
  )
}
