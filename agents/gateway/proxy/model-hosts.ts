import { isIP } from 'node:net'

/** Hosts of model providers. Their subdomains are included. `*` stands for one or more labels. */
const modelHosts: readonly string[] = [
  'ai-gateway.vercel.sh',
  'aiplatform.googleapis.com',
  '*-aiplatform.googleapis.com',
  'api-inference.huggingface.co',
  'api.ai21.com',
  'api.anthropic.com',
  'api.baichuan-ai.com',
  'api.cerebras.ai',
  'api.cohere.ai',
  'api.cohere.com',
  'api.deepinfra.com',
  'api.deepseek.com',
  'api.fireworks.ai',
  'api.githubcopilot.com',
  'api.groq.com',
  'api.hyperbolic.xyz',
  'api.lambda.ai',
  'api.mistral.ai',
  'api.minimax.chat',
  'api.minimax.io',
  'api.minimaxi.com',
  'api.moonshot.ai',
  'api.moonshot.cn',
  'api.novita.ai',
  'api.openai.com',
  'api.perplexity.ai',
  'api.replicate.com',
  'api.sambanova.ai',
  'api.siliconflow.cn',
  'api.siliconflow.com',
  'api.stepfun.com',
  'api.studio.nebius.ai',
  'api.together.ai',
  'api.together.xyz',
  'api.x.ai',
  'api.z.ai',
  'ark.cn-beijing.volces.com',
  'bedrock-runtime.*.amazonaws.com',
  'chatgpt.com',
  'cloudcode-pa.googleapis.com',
  'codewhisperer.*.amazonaws.com',
  'dashscope.aliyuncs.com',
  'dashscope-intl.aliyuncs.com',
  'dashscope-us.aliyuncs.com',
  'gateway.ai.cloudflare.com',
  'generativelanguage.googleapis.com',
  'hunyuan.tencentcloudapi.com',
  'inference.ai.azure.com',
  'inference.baseten.co',
  'integrate.api.nvidia.com',
  'models.github.ai',
  'models.inference.ai.azure.com',
  'ollama.com',
  'open.bigmodel.cn',
  'openai.azure.com',
  'openrouter.ai',
  'qianfan.baidubce.com',
  'router.huggingface.co',
  'runtime.sagemaker.*.amazonaws.com',
  'services.ai.azure.com',
  'spark-api-open.xf-yun.com',
]

const patterns = modelHosts.map(
  host =>
    new RegExp(`^(?:.+\\.)?${host.replaceAll('.', '\\.').replaceAll('*', '[a-z0-9-]+(?:\\.[a-z0-9-]+)*')}$`),
)

/**
 * Returns whether a host serves models. Requests to it would bypass the budget of the attempt.
 *
 * @param hostname as URLs write it
 */
export function isModelHost(hostname: string): boolean {
  const plain = plainHost(hostname)
  return isIP(plain) === 0 && patterns.some(pattern => pattern.test(plain))
}

/** Returns whether the operator allows a host by its name. */
export function isNamedHost(hosts: readonly string[], hostname: string): boolean {
  return hosts.some(host => plainHost(host) === plainHost(hostname))
}

function plainHost(hostname: string): string {
  return hostname.toLowerCase().replace(/\.+$/, '')
}
