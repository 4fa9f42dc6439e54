import type { Target } from '@svc/core/delivery/outbox-parts'
import { fetchSender } from '@svc/core/delivery/send-fetch'
import { DIRECT } from '@svc/core/transport'
import type { OwnSettings } from '../options.ts'
import { ScoreQueue } from './score-queue.ts'

/** Returns the full queue for runtimes that only have `fetch`. */
export function edgeScoreQueue(settings: OwnSettings, target: Target): ScoreQueue {
  return new ScoreQueue({ ...settings, transport: DIRECT }, target, fetchSender())
}
