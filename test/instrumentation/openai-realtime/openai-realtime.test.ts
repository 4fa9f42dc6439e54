import { checkLibrary } from '../harness/library.ts'

checkLibrary('openai-realtime')
