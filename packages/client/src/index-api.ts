export { MediaContentType } from '@svc/core/media'
export { type ScoreBody, ScoreDataType } from '@svc/core/score'
export type { SvcApi } from './api/bind.ts'
export type { ApiPages, ApiPromise } from './api/call.ts'
export type { NoRequest } from './api/endpoint.ts'
export {
  AccessDeniedError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  MethodNotAllowedError,
  NotFoundError,
  ServiceUnavailableError,
  SvcAPIError,
  type SvcAPIErrorDetails,
  SvcAPITimeoutError,
  SvcPageError,
  TooManyRequestsError,
  UnauthorizedError,
  UnprocessableContentError,
} from './api/errors.ts'
export type { RawResponse, WithRawResponse } from './api/raw-response.ts'
export type { RequestOptions } from './api/request-options.ts'
export * from './api/types/index.ts'
export { createApi } from './create-api.ts'
export type { SvcClientOptions } from './options.ts'
