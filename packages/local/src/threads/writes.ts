import { putContent } from '../api/media/content.ts'
import { deleteTrace, deleteTraces } from '../api/traces.ts'
import { api } from '../http/api-route.ts'
import type { Route } from '../http/router.ts'
import type { WriteService } from '../service.ts'
import { takeTraces } from '../trace/intake/intake.ts'

/** Routes that may write much: then they let a worker thread answer (thread.ts). */
export const WRITES: readonly Route<WriteService>[] = [
  api('opentelemetry.exportTraces', 'POST /otel/v1/traces', takeTraces),
  api('trace.deleteMultiple', 'DELETE /traces', deleteTraces),
  api('trace.delete', 'DELETE /traces/{traceId}', deleteTrace),
  // The storage behind media files: the URLs are signed.
  { method: 'PUT', path: '/api/media/{mediaId}', access: 'anyone', handle: putContent },
]
