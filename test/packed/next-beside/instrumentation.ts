import { onRequestError as record, registerSvc } from '@svc/next'
import { onRequestErrorOfOther, registerOther } from './other'

// Each order is tested with the same build.
export async function register() {
  const both = [() => registerSvc(), registerOther]
  const orders = { 'svc first': both, 'svc second': both.toReversed(), 'svc is a processor': [registerOther] }
  for (const start of orders[process.env.ORDER as keyof typeof orders] ?? []) await start()
}

export const onRequestError = async (...args: Parameters<typeof record>) => {
  record(...args)
  await onRequestErrorOfOther(...args)
}
