import { checkLibrary } from '../harness/library.ts'

checkLibrary('google-genai-live')
