import { log } from '@svc/core/log'
import { providerAt } from '../gen-ai/server.ts'
import { recordsSessions } from '../realtime/recorded-hosts.ts'

/** What a request opens whose messages are not seen. */
export type Channel = keyof typeof REMEDIES

const REMEDIES = {
  'a WebSocket':
    'Sessions are recorded of OpenAIRealtimeWS (openai), RealtimeSession (@openai/agents) and live.connect ' +
    '(@google/genai); of others what you record yourself, by startObservation().',
  gRPC: 'Use a client that asks by HTTP, or record the calls yourself, by startObservation().',
}

/** Tells a path of a model from one of any application, where the host is not known. */
const IS_OF_MODEL = /[?&](?:model|deployment)=|BidiGenerateContent|google\.cloud\.aiplatform/

/** Returns the library that is used for what is asked at a path, by its name in `SVC_INSTRUMENTATIONS`. */
export function libraryAt(path: string): string {
  return /BidiGenerateContent|PredictionService/.test(path) ? 'google-genai' : 'openai'
}

/** Says once for each host that what a model is asked there is not recorded. */
export function reportChannel(channel: Channel, origin: string, path: string): void {
  const { host, hostname } = new URL(origin)
  if (providerAt(hostname) === undefined && !IS_OF_MODEL.test(path)) return
  const [pathname = ''] = path.split('?', 1)
  const line = `${host}${pathname} is asked over ${channel}, which is not recorded. ${REMEDIES[channel]}`
  // A library opens its connection before its session is there.
  setImmediate(() => {
    if (!recordsSessions(hostname)) log.once('warn', line, `${channel} ${host}`)
  })
}
