import { connectApi } from '../../service/connect.ts'
import type { PromptFlags } from '../command.ts'
import { PromptService } from './prompt-service.ts'

/** Returns the prompts of the project whose keys are in the environment or in `.env` of this folder. @throws {Failure} */
export async function connect(flags: Pick<PromptFlags, 'yes'>): Promise<PromptService> {
  const { api, address } = await connectApi(flags)
  return new PromptService(api, address)
}
