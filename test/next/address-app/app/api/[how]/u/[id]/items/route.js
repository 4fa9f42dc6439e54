export { route as GET, route as POST } from '../../../../../../answer.js'
