import {SvcClient} from "@svc/client";

const client = new SvcClient({
	publicKey: "pk",   secretKey: "sk" })

export async function main( userId : string ){
    const prompt = await client . getPrompt( "movie-critic", {cacheTtlSeconds:60} ) // the cache stays
    console.log(prompt.compile({ movie: "Dune" }));
    await client.createPrompt({ name: 'movie-critic', prompt: 'Judge {{movie}}.' });
    await client.updatePrompt({ name: 'movie-critic', version: 1, newLabels: ['production'] });

    const dataset = await client.getDataset('capitals')
    await client.createDatasetItem({ datasetName: dataset.name, input: 'Norway' })
    await client.createDataset({ name: 'capitals' })
    const item = await client.getDatasetItem('capital-no'); console.log(item.id)
    await client.getDatasetItem('capital-no', { maxRetries: 0 })

    const messages = [{ role: userId, content: 'x' }]
    await client.resolveMediaReferences({ obj: messages, resolveWith: 'base64DataUri' })
    const { url } = await client.fetchMedia('media-id'); console.log(url)
    await client.fetchMedia('media-id', /* quickly */ { timeoutInSeconds: 1 })

    await client.api.legacy.metricsV1.metrics({ query: JSON.stringify({ view: 'observations' }) })
    await client.api.legacy.scoreV1.create({ traceId: 'trace-id', name: 'exact', value: 1 })
    await client.api.legacy.scoreV1.create(
        {
            traceId: 'trace-id',
            name: 'exact',
            value: 1,
        },
    )
    await client.api.legacy.scoreV1.delete('score-id')
    await client.api.legacy.scoreV1.delete('score-id', { maxRetries: 1 })
    await client.api.scores.create({ traceId: 'trace-id', name: 'exact', value: 1 })
    const score = { traceId: 'trace-id', name: 'exact', value: 1 }
    await client.api.scores.create(score)
    await client.api.scoresV3.getManyV3({ traceId: 'trace-id' })
    await client.api.scores.getMany({ scoreIds: 'score-id', limit: 10 })
    await client.api.scores.getMany({ name: 'exact' })
    const scoreIds = 'score-id'
    await client.api.scores.getMany({ scoreIds })
}
