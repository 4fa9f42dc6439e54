import { SvcClient } from '@svc/client'
import { createScoreManager } from '@svc/client/score'
import { log } from '@svc/core/log'
import { CallbackHandler } from '@svc/langchain'
import { SvcModule } from '@svc/nestjs'
import { SvcHealthIndicator } from '@svc/nestjs/terminus'
import { SvcTestingModule } from '@svc/nestjs/testing'
import { SvcSpanProcessor } from '@svc/otel'
import { start } from '@svc/register/start'
import { observe } from '@svc/tracing'

/** Compiles where TypeScript knows nothing of `exports`: "module": "commonjs" and its own resolution. */
export const names = [
  ...[SvcClient, createScoreManager, log, CallbackHandler, SvcModule, SvcHealthIndicator],
  ...[SvcTestingModule, SvcSpanProcessor, start, observe],
]
console.log(names.every((name) => name !== undefined))
