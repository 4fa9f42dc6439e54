import { SvcSpanProcessor } from '@svc/otel'
import { registerOTel } from '@vercel/otel'

export function registerOther() {
  const isOnly = process.env.ORDER === 'svc is a processor'
  registerOTel({ serviceName: 'shop', ...(isOnly ? { spanProcessors: [new SvcSpanProcessor()] } : {}) })
}

export const onRequestErrorOfOther = async (..._: readonly unknown[]) => {}
