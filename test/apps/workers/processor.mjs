// The processor of BullMQ's jobs, and the file that it runs in a process or a thread of its own.
import { observed, WORK } from './work.mjs'

export default ({ name, data: { user } }) => observed(name, user, () => WORK[name](user))
