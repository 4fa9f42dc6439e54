import { checkLibrary } from '../harness/library.ts'

checkLibrary('claude-agent')
