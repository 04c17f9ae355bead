import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { answerCsv, attemptOf, listIsolations } from './external-attempt.ts'

const isolations = await listIsolations()
const enclosed = isolations[1]!

const newFolder = async (name: string): Promise<string> => await mkdtemp(join(tmpdir(), name))

describe.skipIf(enclosed.isMissing)(`an agent ${enclosed.title}`, () => {
  const seen = async (script: string, given: Parameters<typeof attemptOf>[1] = {}): Promise<unknown> => {
    const { answerText, termination } = await attemptOf(script, { isolate: 'bubblewrap', ...given })
    return answerText === null ? termination.detail : JSON.parse(answerText)
  }

  it('sees no process of this machine, and can neither signal one nor read its memory', async () => {
    expect(
      await seen(`
        import { readdirSync, readFileSync } from 'node:fs'
        const attempt = work => { try { work(); return 'done' } catch (error) { return error.code } }
        const pids = readdirSync('/proc').filter(name => /^\\d+$/.test(name))
        console.log(JSON.stringify([
          pids.length < 6,
          attempt(() => process.kill(${process.pid}, 'SIGKILL')),
          attempt(() => readFileSync('/proc/${process.pid}/mem')),
          pids.some(pid => attempt(() => { if (!readFileSync('/proc/' + pid + '/environ', 'utf8').includes('VITEST')) throw { code: 'no' } }) === 'done'),
        ]))`),
    ).toEqual([true, 'ESRCH', 'ENOENT', false])
  })

  it('of an operator who is root cannot change a setting of the machine', async () => {
    expect(
      await seen(`
        import { closeSync, openSync, readdirSync } from 'node:fs'
        const opened = []
        const look = path => {
          for (const entry of readdirSync(path, { withFileTypes: true })) {
            const inner = path + '/' + entry.name
            if (entry.isDirectory()) try { look(inner) } catch {}
            else if (entry.isFile()) try { closeSync(openSync(inner, 'r+')); opened.push(inner) } catch {}
          }
        }
        for (const name of readdirSync('/proc')) if (!/^\\d+$|^self$|^thread-self$|^net$|^pressure$/.test(name)) try { look('/proc/' + name) } catch {}
        console.log(JSON.stringify(opened.slice(0, 5)))`),
    ).toEqual([])
  })

  it('reaches no port, no abstract socket and no name server', async () => {
    const [tcp, abstract] = [createServer(), createServer()]
    await new Promise<void>(resolve => tcp.listen(0, '127.0.0.1', resolve))
    // Node cannot make a socket with an abstract name, so this one is at a path that the agent does not see.
    const path = join(await newFolder('socket-'), 's')
    await new Promise<void>(resolve => abstract.listen(path, resolve))
    const { port } = tcp.address() as { port: number }
    const found = await seen(`
      import { connect } from 'node:net'
      import { lookup } from 'node:dns/promises'
      const reach = target => new Promise(resolve =>
        connect(target).on('connect', () => resolve('connected')).on('error', ({ code }) => resolve(code)))
      console.log(JSON.stringify([
        await reach({ port: ${port}, host: '127.0.0.1' }),
        await reach({ path: '${path}' }),
        await lookup('name.example').then(() => 'known', ({ code }) => code.startsWith('E')),
        (await callTool('web_search', { queries: ['q'] })).content[0].text,
      ]))
      process.exit(0)`)
    tcp.close()
    abstract.close()
    expect(found).toEqual(['ECONNREFUSED', 'ENOENT', true, 'hits for q'])
  })

  it('cannot find the gateway of an attempt that runs at the same time', async () => {
    const spy = `
      import { readdirSync, readFileSync } from 'node:fs'
      const others = new Set()
      for (let round = 0; round < 20; round++) {
        for (const pid of readdirSync('/proc').filter(name => /^\\d+$/.test(name))) try {
          for (const line of readFileSync('/proc/' + pid + '/environ', 'utf8').split('\\0'))
            if (line.startsWith('SERPER_BASE_URL=') && !line.endsWith(env.SERPER_BASE_URL)) others.add(line)
        } catch {}
        await new Promise(resolve => setTimeout(resolve, 50))
      }
      console.log(JSON.stringify([others.size, readdirSync(env.TABLEHUNT_FOLDER + '/../..').filter(name => name.startsWith('tablehunt-agent-')).length]))`
    expect(await Promise.all([seen(spy), seen(spy)])).toEqual([
      [0, 1],
      [0, 1],
    ])
  })

  it('leaves nothing in the home folder, in /tmp and in /dev/shm, and cannot fill memory with files elsewhere', async () => {
    const home = await newFolder('home-of-operator-')
    const before = process.env.HOME
    process.env.HOME = home
    try {
      const name = `mark-${process.pid}`
      const written = await seen(`
        import { writeFileSync } from 'node:fs'
        const write = path => { try { writeFileSync(path, 'x'); return 'written' } catch (error) { return error.code } }
        console.log(JSON.stringify([env.HOME + '/.bashrc', '/tmp/${name}', '/var/tmp/${name}', '/dev/shm/${name}',
          '/${name}', '/dev/${name}', '/run/${name}', '/usr/${name}', '/etc/${name}'].map(write)))`)
      expect(written).toEqual([...Array(4).fill('written'), ...Array(5).fill('EROFS')])
      expect(readdirSync(home)).toEqual([])
      for (const folder of ['/tmp', '/dev/shm']) expect(existsSync(join(folder, name))).toBe(false)
    } finally {
      process.env.HOME = before
    }
  })

  it('sees its working folder without tasks, documents, runs and keys, and cannot undo that', async () => {
    const cwd = await newFolder('agent-project-')
    for (const folder of ['documents', 'runs']) {
      await mkdir(join(cwd, folder))
      await writeFile(join(cwd, folder, 'gold.txt'), 'private')
    }
    for (const name of ['tasks.jsonl', '.env', 'helper.txt']) await writeFile(join(cwd, name), 'private')
    const found = await seen(
      `import { execFileSync } from 'node:child_process'
       import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
       const failed = (...words) => { try { execFileSync(words[0], words.slice(1), { stdio: 'ignore' }); return false } catch { return true } }
       const undone = [
         failed('umount', 'tasks.jsonl'), failed('umount', 'documents'),
         failed('mount', '-o', 'remount,rw,bind', process.cwd()), failed('unshare', '-Urm', 'umount', 'tasks.jsonl'),
       ]
       const write = () => { try { writeFileSync('own.txt', ''); return 'written' } catch (error) { return error.code } }
       console.log(JSON.stringify({
         undone, write: write(), helper: readFileSync('helper.txt', 'utf8'),
         tasks: readFileSync('tasks.jsonl', 'utf8'), env: readFileSync('.env', 'utf8'),
         folders: ['documents', 'runs'].map(name => readdirSync(name).length),
       }))`,
      { cwd, privatePaths: ['documents', 'runs', 'tasks.jsonl'].map(name => join(cwd, name)) },
    )
    expect(found).toEqual({
      ...{ undone: [true, true, true, true], write: 'EROFS', helper: 'private' },
      ...{ tasks: '', env: '', folders: [0, 0] },
    })
  })

  it('has no capability, and gets none from a program that would have them', async () => {
    const found = await seen(`
      import { readFileSync } from 'node:fs'
      const read = name => new RegExp('^' + name + ':\\\\s*(\\\\w+)', 'm').exec(readFileSync('/proc/self/status', 'utf8'))[1]
      console.log(JSON.stringify([...['CapEff', 'CapPrm', 'CapBnd'].map(read).map(Number), read('NoNewPrivs')]))`)
    expect(found).toEqual([0, 0, 0, '1'])
  })

  it('cannot leave a process behind: one in a session of its own, without variables, ends with it', async () => {
    const mark = `71${process.pid}`
    expect(
      await seen(`
        import { execFileSync } from 'node:child_process'
        execFileSync('setsid', ['-f', 'env', '-i', 'sleep', '${mark}'], { cwd: '/', stdio: 'ignore' })
        console.log('{}')`),
    ).toEqual({})
    const commands = readdirSync('/proc').flatMap(pid => {
      try {
        return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : []
      } catch {
        return []
      }
    })
    expect(commands.filter(command => command.includes(mark))).toEqual([])
  })

  it('that kills its bridge ends its own attempt alone', async () => {
    const { termination } = await attemptOf(
      `process.kill(process.ppid, 'SIGKILL'); setInterval(() => {}, 1000)`,
      { isolate: 'bubblewrap' },
    )
    expect([termination.cause, termination.reason]).toEqual(['agent', 'crashed'])
  })
})

describe.each(isolations)('an agent of any kind $title', ({ isolate, isMissing }) => {
  beforeEach(({ skip }) => skip(isMissing))

  it('is not read through a named pipe or a link as its answer file', async () => {
    const secret = join(await newFolder('secret-'), 'file')
    await writeFile(secret, 'a private text')
    const make = async (words: string) =>
      await attemptOf(
        `import { execFileSync } from 'node:child_process'
         execFileSync(${words})`,
        { isolate, answer: { from: 'file', name: 'answer.md' } },
      )
    const pipe = await make(`'mkfifo', [env.TABLEHUNT_FOLDER + '/answer.md']`)
    const link = await make(`'ln', ['-s', '${secret}', env.TABLEHUNT_FOLDER + '/answer.md']`)
    const folder = await make(
      `'sh', ['-c', 'cd /; mv $TABLEHUNT_FOLDER $TABLEHUNT_FOLDER.moved; ln -s ${join(secret, '..')} $TABLEHUNT_FOLDER']`,
    )
    expect([pipe.termination.detail, link.termination.detail]).toEqual([
      'the answer file answer.md is not a regular file. Write the answer to a regular file',
      'the answer file answer.md is a symbolic link. Write the answer to a regular file',
    ])
    expect([pipe, link, folder].map(({ answerText }) => answerText)).toEqual([null, null, null])
    expect(await readFile(secret, 'utf8')).toBe('a private text')
  })

  it('with read-only folders, deep folders and a link in TMPDIR keeps its answer, and nothing of it stays', async () => {
    const victim = await newFolder('victim-')
    await writeFile(join(victim, 'file'), 'kept')
    const before = readdirSync(tmpdir()).filter(name => name.startsWith('tablehunt-agent-'))
    const attempt = await attemptOf(
      `import { execFileSync } from 'node:child_process'
       execFileSync('sh', ['-c', [
         'mkdir -p $TMPDIR/mod/pkg; echo x > $TMPDIR/mod/pkg/f; chmod 0555 $TMPDIR/mod/pkg $TMPDIR/mod',
         'ln -s ${victim} $TMPDIR/victim', 'for i in 1 2 3 4 5 6 7 8 9; do mkdir $(printf "%0200d" $i); cd $(printf "%0200d" $i); done',
       ].join('\\n')])
       console.log(answer)`,
      { isolate },
    )
    expect(attempt.termination.reason).toBe('answered')
    expect(attempt.answerText).toContain(answerCsv)
    expect(await readFile(join(victim, 'file'), 'utf8')).toBe('kept')
    const after = readdirSync(tmpdir()).filter(name => name.startsWith('tablehunt-agent-'))
    expect(after.filter(name => !before.includes(name))).toEqual([])
  })

  it('is stopped when it uses too much processor time, also in processes that have ended', async () => {
    const { termination } = await attemptOf(
      `import { execFileSync } from 'node:child_process'
       for (;;) execFileSync(process.execPath, ['-e', 'const end = Date.now() + 300; while (Date.now() < end);'])`,
      { isolate, cpuSeconds: 2 },
    )
    expect(termination.detail).toBe(
      'the agent was stopped because it used more processor time than cpuSeconds allows',
    )
  })
})

// The stand-in for the engine needs a network of its own, where the ports of the gateway are free.
describe.skipIf(enclosed.isMissing)('an agent in a container', () => {
  it('gets no network, no capabilities, limits, and its own folders alone', async () => {
    const folder = await newFolder('engine-')
    const list = join(folder, 'arguments')
    // Stands for the engine: writes its arguments down, and runs what would run in the container.
    await writeFile(
      join(folder, 'podman'),
      `#!/bin/sh
printf '%s\\n' "$@" >> ${list}; echo END >> ${list}
test "$1" = run || exit 0
while test "$1" != --entrypoint; do shift; done
shift 3
exec bwrap --dev-bind / / --unshare-net -- ${process.execPath} "$@"
`,
    )
    await chmod(join(folder, 'podman'), 0o755)
    const { PATH } = process.env
    process.env.PATH = `${folder}${delimiter}${PATH}`
    try {
      const attempt = await attemptOf(
        `console.log(answer + (await callTool('web_search', { queries: ['q'] })).content[0].text)`,
        { isolate: 'container:an-image', env: { MY_MODE: 'fast' } },
      )
      expect(attempt.termination.detail).toBeNull()
      expect(attempt.answerText).toContain(`${answerCsv}hits for q`)
      expect(attempt.isolation).toBe('container')
    } finally {
      process.env.PATH = PATH
    }
    const calls = (await readFile(list, 'utf8')).split('END\n').map(text => text.trimEnd().split('\n'))
    const run = calls[1]!
    const listValues = (flag: string): string[] =>
      run.flatMap((word, index) => (word === flag ? [run[index + 1]!] : []))
    expect(run.slice(0, 2)).toEqual(['run', '--rm'])
    expect(run).toContain('--read-only')
    expect([
      listValues('--network'),
      listValues('--cap-drop'),
      listValues('--security-opt'),
      listValues('--pull'),
    ]).toEqual([...[['none'], ['ALL'], ['no-new-privileges'], ['never']]])
    expect([listValues('--memory'), listValues('--cpus'), listValues('--pids-limit')]).toEqual([
      ['4096m'],
      ['2'],
      ['500'],
    ])
    const writable = listValues('--mount').filter(mount => !mount.endsWith(',readonly'))
    expect(
      writable.map(mount => /target=(.*)$/.exec(mount)![1]!.replace(/.*tablehunt-agent-\w+/, 'BASE')),
    ).toEqual([...['/tmp', 'BASE/home', 'BASE/work']])
    expect(calls.at(-2)!.slice(0, 2)).toEqual(['rm', '--force'])
    expect(run.join()).not.toContain('MY_MODE')
  })
})
