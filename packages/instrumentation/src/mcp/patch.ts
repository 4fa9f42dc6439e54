import { asRecord } from '../gen-ai/read.ts'
import { callBefore } from '../patch/call-before.ts'
import { patchMethods, type Wrappers } from '../patch/patch-methods.ts'
import { recordHandlers } from './handlers.ts'
import { recordDispatch, wrappers } from './instrument.ts'
import { readTaskNotification } from './tasks.ts'
import { followTransport } from './transport.ts'

/** Of both sides, which ask and answer each other. */
const SIDE: Wrappers = {
  request: wrappers.request,
  setRequestHandler: recordHandlers,
  _onnotification: (original) =>
    callBefore(original, 'read what has become of a task', (_, [told]) => readTaskNotification(asRecord(told))),
  connect: (original) => callBefore(original, 'follow a transport', (_, [transport]) => followTransport(transport)),
}

/** Patches the exports of the client, of the server, or of both. */
export function patchMcp(exports: unknown): boolean {
  const { Client, Server, ExperimentalClientTasks, ClientSessionPort } = asRecord(exports)
  const called = [
    patchMethods(Client, ['callTool'], wrappers),
    patchMethods(ExperimentalClientTasks, ['callToolStream'], wrappers),
    patchMethods(ClientSessionPort, ['dispatch'], { dispatch: recordDispatch }),
    ...[Client, Server].map((side) => patchMethods(side, Object.keys(SIDE), SIDE)),
  ]
  return called.includes(true)
}
