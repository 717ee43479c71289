// Reads Karpenter NodePools by the schema of its custom resource; documents come as JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { NodePool } from "@kubernetes-models/karpenter/karpenter.sh/v1/NodePool";

const fault = (pool) => {
  try {
    new NodePool(pool).validate();
    return "";
  } catch (error) {
    return `${error.message}: ${JSON.stringify(pool)}`;
  }
};

const documents = JSON.parse(readFileSync(process.argv[2]));
writeFileSync(process.argv[3], JSON.stringify(documents.map(fault)));
