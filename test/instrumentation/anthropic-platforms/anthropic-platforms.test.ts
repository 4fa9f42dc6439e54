import { checkLibrary } from '../harness/library.ts'

checkLibrary('anthropic-platforms')
