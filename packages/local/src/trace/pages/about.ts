import { VERSION } from '@svc/core/version'
import { type Answer, json } from '../../http/answer.ts'
import { isKnown } from '../../http/auth.ts'
import type { Call } from '../../http/router.ts'
import type { Service } from '../../service.ts'

/** `GET /viewer/about`: what the page shows before the first trace arrives. */
export function getAbout({ headers }: Call, { keys, playground }: Service): Answer {
  return json(200, {
    version: VERSION,
    publicKey: keys.publicKey,
    // The default secret key is no secret. Another one is not for a page.
    secretKey: isKnown(keys.secretKey) ? keys.secretKey : null,
    /** Vendors that the playground may call. */
    playground: Object.entries(playground).flatMap(([vendor, access]) => (access ? [vendor] : [])),
    baseUrl: `http://${headers.host}`,
  })
}

/** `GET /viewer/live`: what changes from now on, as server-sent events. */
export function getLive(_: Call, { live }: Service): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    stream: (response) => live.open(response),
  }
}
