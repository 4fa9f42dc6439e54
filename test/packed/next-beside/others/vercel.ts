import { instrument } from '@svc/instrumentation'
import { SvcSpanProcessor } from '@svc/otel'
import { registerOTel } from '@vercel/otel'

export async function registerOther() {
  if (process.env.ORDER !== 'svc is a processor') return registerOTel({ serviceName: 'shop' })
  // The types of version 1 are those of an SDK that names the scope of a span otherwise.
  registerOTel({ serviceName: 'shop', spanProcessors: [new SvcSpanProcessor() as never] })
  instrument(await import('openai'))
}

export const onRequestErrorOfOther = async (..._: readonly unknown[]) => {}
