import { checkLibrary } from '../harness/library.ts'

checkLibrary('agents-realtime')
