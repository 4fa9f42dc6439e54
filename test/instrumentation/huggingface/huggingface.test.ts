import { checkLibrary } from '../harness/library.ts'

checkLibrary('huggingface')
