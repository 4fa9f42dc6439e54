export { route as GET } from '../../../../../answer.js'
