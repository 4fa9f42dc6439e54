// Preloaded: what listens does not keep its process, so that a server of a page ends once it has started.
import { subscribe } from 'node:diagnostics_channel'

subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => server.unref())
