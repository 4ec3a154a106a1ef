// Runs one task in dsh in the place of its own headless runner, which prints the last text only, and says on standard
// output what happens: one JSON object a line, in the order of the events.
//
//   {"type":"session/created","session":ID,"time":MS,"data":HEADER}   also for a subagent: HEADER.parentSession
//   {"type":EVENT,"session":ID,"time":MS,"data":DATA}                 each event of a session but the pieces of answers
//   {"type":"result","session":ID,"time":MS,"data":{"reason":REASON}} last, when the task has ended: REASON.kind
//                                                                     tells how ("completed", "error", …)
//
// dsh's own session log has the same events, but the agent can write to it.
// Written for dsh 0.1.0-rc.8. The task comes on standard input; the command line's only word is "-".

import { writeSync } from 'node:fs'

export const name = 'agentrun-dsh-runner'
export const inject = ['agentDefaultModel', 'agents', 'headlessStartup', 'sessions']

const standardOutput = 1
const patience = 5000 // milliseconds, as dsh gives itself to stop
const finishedKinds = ['completed', 'max-tokens']

/** Writes the whole line before it returns. Standard output may be a pipe that is full and does not block. */
function print(type, session, data, time = Date.now()) {
  let rest = Buffer.from(JSON.stringify({ type, session, time, data }) + '\n')
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(standardOutput, rest))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/** Takes back what dsh read from the working directory's .env: it belongs to the code that the agent works on. */
function forgetEnvFiles(environment) {
  const { get, getFrom } = environment
  const own = ['process']
  for (const variable of Object.keys(process.env)) {
    if (getFrom(variable, own) === undefined && get(variable) !== undefined) delete process.env[variable]
  }
  environment.get = (variable) => getFrom(variable, own)
  environment.getFrom = (variable, sources) => getFrom(variable, sources.filter((source) => own.includes(source)))
}

async function readTask() {
  const chunks = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

async function openAgent(ctx, { session, resume }) {
  const { provider, model } = ctx.get('agentDefaultModel').currentSelection()
  const agentOptions = { provider, model }
  const agents = ctx.get('agents')
  const { agent } = resume
    ? await agents.resume({ agentOptions, resumeSessionId: session })
    : await agents.create({ agentOptions, sessionId: session, meta: { cwd: process.cwd() } })
  await agent.whenIdle()
  return agent
}

/** Returns why the last turn ended. */
async function run(ctx, config) {
  const words = ctx.get('headlessStartup').task
  if (words !== '-') throw new Error(`unexpected arguments: ${words}`)
  const text = await readTask()
  // All plugins must stand before the first turn: tools would be missing from it.
  await ctx.get('loader')?.await()
  // One of them did not start, and dsh says which on standard error.
  if (ctx.get('agents') === undefined) return { kind: 'aborted' }
  const agent = await openAgent(ctx, config)
  const firstNew = agent.session.seq
  agent.followup({
    id: crypto.randomUUID(),
    role: 'user',
    source: { kind: 'user' },
    content: [{ type: 'text', text }],
  })
  await agent.whenIdle()
  const sessions = ctx.get('sessions')
  // A signal has taken them down.
  if (sessions === undefined) return { kind: 'aborted' }
  await sessions.flush(agent.session)
  const ends = agent.session.events.filter(({ seq, type }) => seq >= firstNew && type === 'turn/end')
  return ends.at(-1)?.data.reason ?? { kind: 'aborted' }
}

export function apply(ctx, config) {
  const exit = ctx.get('appExit')
  forgetEnvFiles(ctx.get('launchEnvironment'))
  ctx.on('session/created', ({ header }) => print('session/created', header.id, header))
  ctx.on('session/event', ({ header }, { type, time, data }) => {
    if (type !== 'assistant/chunk') print(type, header.id, data, time)
  })
  run(ctx, config)
    .catch((error) => ({ kind: 'error', error: { message: String(error?.message ?? error) } }))
    .then((reason) => {
      print('result', config.session, { reason })
      const code = finishedKinds.includes(reason.kind) ? 0 : 1
      exit(code)
      // dsh waits until nothing is left to do, and a plugin that was still starting can hold it for ever.
      setTimeout(() => process.exit(code), patience).unref()
    })
}
