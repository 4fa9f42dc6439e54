import * as BAGGAGE from './attributes/baggage.ts'
import * as GEN_AI from './attributes/gen-ai.ts'
import * as GENERAL from './attributes/general.ts'
import * as HEADER from './attributes/headers.ts'
import * as ATTRIBUTE from './attributes/service.ts'

/**
 * All names of span attributes, HTTP headers and baggage keys. Sources: the SDK contract (sections 1.2, 2.2, 2.5) and
 * the OpenTelemetry GenAI semantic conventions. What bundles for the edge and for browsers contain imports the modules of
 * `attributes/` instead of this one: Turbopack keeps the whole of a table that is exported by another module.
 */
export { ATTRIBUTE }
/** One of the names in `ATTRIBUTE`. */
export type AttributeName = (typeof ATTRIBUTE)[keyof typeof ATTRIBUTE]

export {
  APP_HEADER,
  BAGGAGE_ATTRIBUTES,
  EXPERIMENT_ENVIRONMENT,
  MCP,
  NEXT_SCOPE,
  RAW_ANSWERS,
  SDK_NAME,
  SDK_SCOPE,
  SENTRY,
} from './attributes/constants.ts'
/** OpenTelemetry GenAI semantic conventions, as far as this project writes or reads them. */
/**
 * `GENERAL`: general OpenTelemetry semantic conventions. `HEADER`: HTTP headers of span export, in lower case, because
 * names of HTTP headers compare case-insensitively.
 */
/** Baggage keys that carry propagated values to other processes. `METADATA_PREFIX` is followed by the metadata key. */
export { BAGGAGE, GEN_AI, GENERAL, HEADER }
