import { checkLibrary } from '../harness/library.ts'

checkLibrary('bedrock-agent')
