import { GEN_AI } from '@svc/core/attributes'
import { asName, defined } from '../../gen-ai/read.ts'
import { serverAttributes } from '../../gen-ai/server.ts'
import { Session } from '../../realtime/session.ts'
import { RealtimeExchange } from './exchange.ts'

export interface RealtimeStart {
  /** Name of the tracer. */
  readonly scope: string
  /** Whom it connects to. */
  readonly url: URL | undefined
  readonly model?: string | undefined
  /** The agent that speaks, where it has a name; another one may take over. */
  readonly agent?: () => string | undefined
}

/** Begins the span of a session of OpenAI. */
export function realtimeSession({ scope, url, model = modelIn(url), agent }: RealtimeStart): Session {
  const attributes = serverAttributes({}, 'openai', url && `https://${url.host}`)
  const first = agent?.()
  return new Session({
    scope,
    name: first ?? 'realtime',
    model,
    attributes: { ...attributes, ...defined({ [GEN_AI.AGENT_NAME]: first }) },
    exchange: (context) => new RealtimeExchange({ scope, context, model, attributes, agent }),
  })
}

function modelIn(url: URL | undefined): string | undefined {
  return asName(url?.searchParams.get('model') ?? url?.searchParams.get('deployment') ?? undefined)
}
