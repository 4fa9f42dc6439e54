import { checkLibrary } from '../harness/library.ts'

checkLibrary('generative-ai')
