const toolsRefused =
  /(?:does not|doesn't|not) support (?:native )?(?:tools?|function)|(?:tools?|tool[_ ](?:use|calls?|calling)|function[_ ]?call(?:s|ing)?)\W{0,2} (?:is|are) not (?:supported|enabled|available)|不支持(?:工具|函数|tools|function)|tool choice requires|tools? param requires|requires --(?:jinja|enable-auto-tool-choice)|enable-auto-tool-choice|no endpoints found that support tool/i

const choiceRefused =
  /(?:not support|unsupported|invalid|no endpoints found)[^.]{0,80}tool_choice|tool_choice[^.]{0,40}(?:not support|unsupported|invalid)/i

/** Whether a failure says that the server takes no tools, in the words of servers and routers. */
export function saysToolsRefused(message: string): boolean {
  return toolsRefused.test(message)
}

/** Whether it says that the service takes tools, but no word on whether they may be called. */
export function saysChoiceRefused(message: string): boolean {
  return choiceRefused.test(message)
}
