"""Twenty mistakes of programs that use the client, each on its own marked line."""

from plimsoll import AsyncClient, Client, Constraints, Dataset, Hardware, Query, Workload
from plimsoll.inputs import WorkloadFields

client = Client()
work: WorkloadFields = {"task": "training", "model": "resnet50"}

client.recommend(task="trainig")  # mistake 1: a task
client.recommend(task="training", modle="resnet50")  # mistake 2: a field
client.recommend(task="training", framework="pytorhc")  # mistake 3: a framework
client.recommend(task="training", format="skypliot")  # mistake 4: a format
client.recommend(task="training", dataset={"nmae": "imagenet-1k"})  # mistake 5: a field of an object
client.recommend(task="training", constraints={"cloud": ["aws"]})  # mistake 6: a constraint
client.recommend(task="training", constraints={"clouds": "aws"})  # mistake 7: a text for a list
client.recommend(task="training", objective="cheapest")  # mistake 8: an objective
client.recommend(task="training", batch_size="64")  # mistake 9: a text for a number
client.recommend(work, precision="float16")  # mistake 10: a precision
client.recommend({"task": "inference", "quantisation": "awq"})  # mistake 11: a field of a dict
Workload("training", framework="tensorfolw")  # mistake 12: a framework of a value
Workload("training", dataset=Dataset(fromat="csv"))  # mistake 13: a field of a value
Constraints(purchase=["ondemand"])  # mistake 14: a word in a list
Query(work, limit="all")  # mistake 15: the limit of a question
client.estimate(work, on={"instance": "p3.2xlarge"})  # mistake 16: a name of hardware
client.compare(work, on=[Hardware(purchase="reserved")])  # mistake 17: a purchase option
list(client.instance_types(min_vcpu=32))  # mistake 18: a filter
list(client.models(family="transformer"))  # mistake 19: the word of a filter
AsyncClient(timeout="30s")  # mistake 20: a time with its unit
